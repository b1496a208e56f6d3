#include "io/output_lock.h"

#include <array>
#include <cerrno>
#include <string>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/error.h"
#include "io/file.h"

namespace io {

namespace {

constexpr const char* ending = ".tessera-lock";

// What the holder wrote into the file.
std::string holder_of(const Descriptor& file) {
    std::array<char, 256> text{};
    const ssize_t size = ::pread(file.number(), text.data(), text.size(), 0);
    return size > 0 ? std::string(text.data(), static_cast<std::size_t>(size)) : "another process";
}

std::string this_process() {
    std::array<char, 128> host{};
    ::gethostname(host.data(), host.size() - 1);
    return "process " + std::to_string(::getpid()) + " on " + host.data();
}

// False if the name leads to another file by now: the holder before has removed this one.
bool is_still_at(const std::filesystem::path& path, const Descriptor& file) {
    struct stat here{}, there{};
    return ::fstat(file.number(), &here) == 0 && ::lstat(path.c_str(), &there) == 0 && here.st_ino == there.st_ino &&
           here.st_dev == there.st_dev;
}

}  // namespace

OutputLock OutputLock::of_file(const std::filesystem::path& file) {
    return {file.parent_path() / ("." + file.filename().string() + ending), file};
}

OutputLock OutputLock::of_folder(const std::filesystem::path& folder) {
    return {folder / ending, folder};
}

void OutputLock::release() noexcept {
    name_.remove();  // first: or another run would lock a file that is about to go
    file_.close();
}

OutputLock::OutputLock(const std::filesystem::path& lock, const std::filesystem::path& what) {
    const SignalDelay delay;
    do {
        file_ = Descriptor(::open(lock.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666));
        if (!file_.is_open()) throw_io_error(what, "write", errno);
        if (::flock(file_.number(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
            throw engine::IoError(what.string() + " is being written by " + holder_of(file_) +
                                  "; wait until it is done, or write to another place");
    } while (!is_still_at(lock, file_));
    name_ = TemporaryName(lock);
    const std::string holder = this_process();
    if (::ftruncate(file_.number(), 0) != 0 ||
        ::pwrite(file_.number(), holder.data(), holder.size(), 0) != static_cast<ssize_t>(holder.size()))
        throw_io_error(what, "write", errno);
}

}  // namespace io
