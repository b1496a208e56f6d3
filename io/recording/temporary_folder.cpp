#include "io/recording/temporary_folder.h"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "engine/error.h"

namespace io {
namespace {

constexpr std::string_view prefix = "tessera-tmp.";
constexpr std::string_view unique = "XXXXXX";  // what mkdtemp replaces

struct Place {
    std::filesystem::path folder;
    std::string name;  // "TMPDIR=/scratch"
};

Place system_folder() {
    for (const char* variable : {"TMPDIR", "TMP", "TEMP", "TEMPDIR"})
        if (const char* folder = std::getenv(variable);
            folder != nullptr && *folder != 0)  // NOLINT(concurrency-mt-unsafe)
            return {std::filesystem::absolute(folder), std::string(variable) + "=" + folder};
    return {"/tmp", "/tmp"};
}

void check(const Place& place, std::size_t longest_socket) {
    struct stat status{};
    if (::stat(place.folder.c_str(), &status) != 0) fail_with_errno(place.name + ", the folder for temporary files");
    if (!S_ISDIR(status.st_mode)) throw engine::IoError(place.name + ": expected a folder for temporary files");
    const std::size_t size = place.folder.native().size() + 1 + prefix.size() + unique.size() + 1 + longest_socket;
    constexpr std::size_t longest_socket_path = sizeof(sockaddr_un::sun_path) - 1;
    if (longest_socket != 0 && size > longest_socket_path)
        throw engine::IoError(place.name + ": too long by " + std::to_string(size - longest_socket_path) +
                              " bytes for the sockets in it; set TMPDIR to a shorter path");
}

Descriptor open_folder(const std::filesystem::path& path) {
    return Descriptor{::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)};
}

bool is_name_of_ours(const std::string& name) {
    return name.starts_with(prefix) && name.size() == prefix.size() + unique.size();
}

void remove_abandoned(const std::filesystem::path& folder) {
    std::error_code failed;
    for (std::filesystem::directory_iterator entry{folder, failed};
         !failed && entry != std::filesystem::directory_iterator{}; entry.increment(failed)) {
        if (!is_name_of_ours(entry->path().filename())) continue;
        const Descriptor found = open_folder(entry->path());
        struct stat status{};
        if (!found.is_open() || ::fstat(found.number(), &status) != 0) continue;
        if (status.st_uid != ::geteuid() || (status.st_mode & 07777) != 0700) continue;
        if (::flock(found.number(), LOCK_EX | LOCK_NB) != 0) continue;
        std::error_code ignored;
        std::filesystem::remove_all(entry->path(), ignored);
    }
}

// Not open if another process took the new folder for an abandoned one, between making and locking it.
Descriptor lock(const std::filesystem::path& path) {
    Descriptor folder = open_folder(path);
    if (!folder.is_open() && errno != ENOENT) fail_with_errno("cannot open " + path.string());
    if (!folder.is_open()) return {};
    while (::flock(folder.number(), LOCK_EX) != 0 && errno == EINTR) {
    }  // where the file system has no locks, nothing is removed either
    struct stat status{};
    return ::stat(path.c_str(), &status) == 0 ? std::move(folder) : Descriptor{};
}

}  // namespace

TemporaryFolder::TemporaryFolder(std::string_view longest_socket) {
    const Place place = system_folder();
    check(place, longest_socket.size());
    remove_abandoned(place.folder);
    while (!lock_.is_open()) {
        {
            const SignalDelay delay;
            std::string name = place.folder / std::string(prefix).append(unique);
            if (::mkdtemp(name.data()) == nullptr)
                fail_with_errno(place.name + ": cannot create a folder for temporary files");
            path_ = name;
            name_ = TemporaryName(path_);
        }
        lock_ = lock(path_);
    }
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

}  // namespace io
