#include "io/recorder/vtest_socket.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <string>
#include <utility>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "engine/error.h"

namespace io {
namespace {

struct Address {
    sockaddr_un name{};
    socklen_t size = 0;
    const sockaddr* generic() const { return reinterpret_cast<const sockaddr*>(&name); }
};

// A name that starts with a zero byte is in the abstract namespace.
Address address_of(const std::string& name) {
    Address address;
    address.name.sun_family = AF_UNIX;
    static_assert(longest_socket_path == sizeof address.name.sun_path - 1);
    if (name.size() > longest_socket_path)
        throw engine::IoError(name + ": longer than the " + std::to_string(longest_socket_path) +
                              " bytes a socket's name may have; set TMPDIR to a shorter path");
    std::ranges::copy(name, address.name.sun_path);
    const bool abstract = !name.empty() && name[0] == '\0';
    address.size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size() + (abstract ? 0 : 1));
    return address;
}

Descriptor new_socket() {
    Descriptor socket{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    if (!socket.is_open()) fail_with_errno("cannot create a socket");
    return socket;
}

[[noreturn]] void fail_in_use(const std::filesystem::path& path) {
    throw engine::IoError(path.string() +
                          ": in use by another recorder or virgl_test_server; end it, or record with --private-socket");
}

void remove_stale(const std::filesystem::path& path) {
    struct stat status{};
    if (::lstat(path.c_str(), &status) != 0) return;
    if (!S_ISSOCK(status.st_mode)) throw engine::IoError(path.string() + ": in the way, and not a socket; remove it");
    if (connect_to(path).is_open()) fail_in_use(path);
    if (::unlink(path.c_str()) != 0) fail_with_errno("cannot remove the abandoned socket " + path.string());
}

}  // namespace

ListeningSocket::ListeningSocket(std::filesystem::path path) : path_(std::move(path)) {
    const Address reservation = address_of(std::string(1, '\0') + "tessera " + path_.string());
    reservation_ = new_socket();
    if (::bind(reservation_.number(), reservation.generic(), reservation.size) != 0) {
        if (errno == EADDRINUSE) fail_in_use(path_);
        fail_with_errno("cannot reserve " + path_.string());
    }
    remove_stale(path_);
    const Address address = address_of(path_.string());
    Descriptor socket = new_socket();
    if (::bind(socket.number(), address.generic(), address.size) != 0) {
        if (errno == EADDRINUSE) fail_in_use(path_);
        fail_with_errno("cannot listen at " + path_.string());
    }
    socket_ = std::move(socket);
    if (::chmod(path_.c_str(), 0600) != 0 || ::listen(socket_.number(), SOMAXCONN) != 0) {
        ::unlink(path_.c_str());
        fail_with_errno("cannot listen at " + path_.string());
    }
}

ListeningSocket::~ListeningSocket() {
    ::unlink(path_.c_str());
}

Descriptor ListeningSocket::accept() const {
    Descriptor connection{::accept4(socket_.number(), nullptr, nullptr, SOCK_CLOEXEC)};
    if (!connection.is_open()) fail_with_errno("cannot accept a connection at " + path_.string());
    return connection;
}

Descriptor connect_to(const std::filesystem::path& path) {
    const Address address = address_of(path.string());
    Descriptor socket = new_socket();
    int result = 0;
    do {
        result = ::connect(socket.number(), address.generic(), address.size);
    } while (result != 0 && errno == EINTR);
    if (result == 0) return socket;
    if (errno != ENOENT && errno != ECONNREFUSED) fail_with_errno("cannot connect to " + path.string());
    return {};
}

}  // namespace io
