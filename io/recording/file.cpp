#include "io/recording/file.h"

#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/error.h"

namespace io {

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

NewFile::NewFile(std::filesystem::path path) : path_(std::move(path)), temporary_(path_.string() + ".XXXXXX") {
    file_ = Descriptor{::mkostemp(temporary_.data(), O_CLOEXEC)};
    if (!file_.is_open()) {
        temporary_.clear();
        fail_with_errno("cannot create " + path_.string());
    }
    const mode_t mask = ::umask(0);
    ::umask(mask);
    if (::fchmod(file_.number(), 0666 & ~mask) != 0) fail_with_errno("cannot create " + path_.string());
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

void NewFile::commit() {
    if (::fsync(file_.number()) != 0) fail_with_errno("cannot write " + path_.string());
    if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail_with_errno("cannot write " + path_.string());
    temporary_.clear();
    file_.close();
    const std::filesystem::path folder = path_.has_parent_path() ? path_.parent_path() : ".";
    const Descriptor directory{::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (directory.is_open()) ::fsync(directory.number());  // some file systems refuse; the file itself is safe
}

void NewFile::discard() noexcept {
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
    temporary_.clear();
    file_.close();
}

}  // namespace io
