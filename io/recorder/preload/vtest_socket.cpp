// Mesa's virpipe driver connects to a socket whose name is built into it. With TESSERA_VTEST_SOCKET set it is led to
// another one, so that several recordings can run at a time.
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include <sys/socket.h>
#include <sys/un.h>

#include "io/recorder/preload/interpose.h"

namespace {

constexpr const char* mesa_socket = "/tmp/.virgl_test";

using Connect = int (*)(int, const sockaddr*, socklen_t);
io::preload::Next<Connect> next_connect{"connect"};

bool is_mesa_socket(const sockaddr* address, socklen_t size) {
    if (size < offsetof(sockaddr_un, sun_path) + std::strlen(mesa_socket) || address->sa_family != AF_UNIX)
        return false;
    const auto* name = reinterpret_cast<const sockaddr_un*>(address)->sun_path;
    return std::strncmp(name, mesa_socket, size - offsetof(sockaddr_un, sun_path)) == 0;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int connect(int socket, const sockaddr* address, socklen_t size) {
    const char* other = std::getenv("TESSERA_VTEST_SOCKET");
    sockaddr_un replacement{};
    if (other == nullptr || std::strlen(other) >= sizeof replacement.sun_path || !is_mesa_socket(address, size))
        return next_connect.get()(socket, address, size);
    replacement.sun_family = AF_UNIX;
    std::strncpy(replacement.sun_path, other, sizeof replacement.sun_path - 1);
    return next_connect.get()(socket, reinterpret_cast<const sockaddr*>(&replacement), sizeof replacement);
}
