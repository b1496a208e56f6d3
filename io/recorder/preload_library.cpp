#include "io/recorder/preload_library.h"

#include <string>

#include <sys/stat.h>
#include <unistd.h>

#include "engine/error.h"
#include "io/recording/file.h"

namespace io {
namespace {

constexpr const char* name = "libtessera_preload.so";
constexpr const char* remedy = "; without it use --real-time and no --private-socket";

struct stat status_of(const std::filesystem::path& path) {
    struct stat status{};
    if (::stat(path.c_str(), &status) != 0) fail_with_errno("cannot read " + path.string());
    return status;
}

[[noreturn]] void refuse(const std::filesystem::path& library, const std::filesystem::path& where,
                         const std::string& problem) {
    throw engine::ConfigError(library.string() + " is not loaded into the application: " +
                              (where == library ? "it" : where.string()) + " " + problem + remedy);
}

// The library and every folder above it.
void check_writers(const std::filesystem::path& library, const struct stat& program) {
    std::filesystem::path path = library;
    for (;; path = path.parent_path()) {
        const struct stat status = status_of(path);
        if (status.st_uid != 0 && status.st_uid != ::geteuid() && status.st_uid != program.st_uid)
            refuse(library, path, "belongs to user " + std::to_string(status.st_uid));
        const bool sticky_folder = S_ISDIR(status.st_mode) && (status.st_mode & S_ISVTX) != 0;
        if ((status.st_mode & S_IWOTH) != 0 && !sticky_folder) refuse(library, path, "may be written by every user");
        if (path == path.root_path()) return;
    }
}

}  // namespace

std::filesystem::path find_preload(const std::filesystem::path& program) {
    const std::filesystem::path folder = std::filesystem::canonical(program).parent_path();
    for (const char* place : {"", "../lib/tessera", "../../io/recorder"}) {
        const std::filesystem::path candidate = folder / place / name;
        if (!std::filesystem::exists(candidate)) continue;
        const std::filesystem::path library = std::filesystem::canonical(candidate);
        check_writers(library, status_of(program));
        return library;
    }
    throw engine::ConfigError(std::string(name) + " is not beside the program in " + folder.string() + remedy);
}

}  // namespace io
