#include "io/file.h"

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "engine/error.h"

namespace io {

namespace {

// A file descriptor that closes itself.
class Descriptor {
  public:
    Descriptor(const std::filesystem::path& path, int flags, std::string_view action)
        : number_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {
        if (number_ < 0) throw_io_error(path, action, errno);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }
    int number() const { return number_; }
    int close() { return ::close(std::exchange(number_, -1)); }

  private:
    int number_;
};

void synchronise(const std::filesystem::path& path, int flags) {
    Descriptor file(path, flags, "open");
    if (::fsync(file.number()) != 0) throw_io_error(path, "write", errno);
    if (file.close() != 0) throw_io_error(path, "write", errno);
}

std::filesystem::path folder_of(const std::filesystem::path& path) {
    return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

}  // namespace

void throw_io_error(const std::filesystem::path& path, std::string_view action, int error_number) {
    throw engine::IoError(path.string() + ": cannot " + std::string(action) + ": " +
                          std::generic_category().message(error_number));
}

PendingFile::PendingFile(std::filesystem::path path) : path_(std::move(path)), temporary_(path_) {
    temporary_ += ".tmp";
}

PendingFile::~PendingFile() {
    std::error_code ignored;  // the error that brought us here is the one to tell
    if (!committed_) std::filesystem::remove(temporary_, ignored);
}

void PendingFile::commit() {
    synchronise(temporary_, O_RDWR);
    if (::rename(temporary_.c_str(), path_.c_str()) != 0) throw_io_error(path_, "rename the finished file", errno);
    committed_ = true;
    synchronise(folder_of(path_), O_RDONLY | O_DIRECTORY);
}

void write_file(const std::filesystem::path& path, std::string_view contents) {
    PendingFile pending(path);
    Descriptor file(pending.temporary(), O_WRONLY | O_CREAT | O_TRUNC, "write");
    while (!contents.empty()) {
        const ssize_t written = ::write(file.number(), contents.data(), contents.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) throw_io_error(path, "write", errno);
        contents.remove_prefix(static_cast<std::size_t>(written));
    }
    if (file.close() != 0) throw_io_error(path, "write", errno);
    pending.commit();
}

std::string read_file(const std::filesystem::path& path, std::size_t most) {
    Descriptor file(path, O_RDONLY, "open");
    std::string contents;
    char buffer[65536];
    for (;;) {
        const ssize_t got = ::read(file.number(), buffer, sizeof buffer);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) throw_io_error(path, "read", errno);
        if (got == 0) return contents;
        contents.append(buffer, static_cast<std::size_t>(got));
        if (contents.size() > most)
            throw engine::IoError(path.string() + ": cannot read: larger than " + std::to_string(most) + " bytes");
    }
}

void create_folder(const std::filesystem::path& path) {
    std::error_code error;
    std::filesystem::create_directories(path, error);
    if (error) throw_io_error(path, "create the folder", error.value());
}

}  // namespace io
