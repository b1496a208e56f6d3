#include "io/recording/file.h"

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/error.h"

namespace io {

namespace {

std::filesystem::path folder_of(const std::filesystem::path& path) {
    return path.has_parent_path() ? path.parent_path() : ".";
}

}  // namespace

Descriptor::Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
    if (this != &other) {
        close();
        number_ = std::exchange(other.number_, -1);
    }
    return *this;
}

void Descriptor::close() noexcept {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
}

void fail_with_errno(const std::string& what) {
    const int code = errno;
    throw engine::IoError(what + ": " + std::generic_category().message(code));
}

Descriptor open_for_reading(const std::filesystem::path& path) {
    Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
    if (!file.is_open()) fail_with_errno("cannot read " + path.string());
    return file;
}

std::size_t read_bytes(const Descriptor& file, std::span<std::byte> bytes, const std::filesystem::path& path) {
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t count = ::read(file.number(), bytes.data() + done, bytes.size() - done);
        if (count == 0) break;
        if (count > 0)
            done += static_cast<std::size_t>(count);
        else if (errno != EINTR)
            fail_with_errno("cannot read " + path.string());
    }
    return done;
}

NewFile::NewFile(std::filesystem::path path, Existing existing)
    : path_(std::move(path)),
      existing_(existing),
      working_path_(unfinished_name(path_)),
      name_(working_path_),
      file_(::open(working_path_.c_str(), O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR | O_CLOEXEC, 0666)) {
    if (file_.is_open()) return;
    const int reason = errno;
    name_.keep();  // nothing is there, or what is not ours
    errno = reason;
    fail_with_errno("cannot create " + path_.string());
}

void NewFile::write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t count = ::write(file_.number(), bytes.data(), bytes.size());
        if (count < 0) {
            if (errno == EINTR) continue;
            fail_with_errno("cannot write " + path_.string());
        }
        bytes = bytes.subspan(static_cast<std::size_t>(count));
        size_ += static_cast<std::uint64_t>(count);
    }
}

void NewFile::truncate(std::uint64_t size) {
    const auto end = static_cast<off_t>(size);
    if (::ftruncate(file_.number(), end) != 0 || ::lseek(file_.number(), end, SEEK_SET) != end)
        fail_with_errno("cannot write " + path_.string());
    size_ = size;
}

// A link where the file system cannot rename without replacing.
bool NewFile::move_to_free_name() const {
    if (::renameat2(AT_FDCWD, working_path_.c_str(), AT_FDCWD, path_.c_str(), RENAME_NOREPLACE) == 0) return true;
    if (errno != EINVAL && errno != ENOSYS) return false;
    return ::link(working_path_.c_str(), path_.c_str()) == 0 && ::unlink(working_path_.c_str()) == 0;
}

void NewFile::commit() {
    if (::fsync(file_.number()) != 0) fail_with_errno("cannot write " + path_.string());
    const bool replaces = existing_ == Existing::replace;
    if (replaces ? ::rename(working_path_.c_str(), path_.c_str()) != 0 : !move_to_free_name()) {
        if (replaces || errno != EEXIST) fail_with_errno("cannot write " + path_.string());
        name_.keep();
        throw engine::IoError(path_.string() + " has appeared in the meantime and is kept; the new file is " +
                              working_path_.string());
    }
    name_.keep();
    file_.close();
    const Descriptor directory{::open(folder_of(path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (directory.is_open()) ::fsync(directory.number());  // some file systems refuse; the file itself is safe
}

void NewFile::discard() noexcept {
    name_.remove();
    file_.close();
}

std::string NewFile::in_own_name(std::string text) const {
    for (std::size_t at = 0; (at = text.find(working_path_.string(), at)) != std::string::npos;) {
        text.replace(at, working_path_.string().size(), path_.string());
        at += path_.string().size();
    }
    return text;
}

}  // namespace io
