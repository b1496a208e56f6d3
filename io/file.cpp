#include "io/file.h"

#include <array>
#include <cerrno>
#include <span>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "engine/error.h"
#include "io/recording/file.h"

namespace io {

namespace {

void synchronise(const std::filesystem::path& path, int flags) {
    const Descriptor file(::open(path.c_str(), flags | O_CLOEXEC));
    if (!file.is_open() || ::fsync(file.number()) != 0) throw_io_error(path, "write", errno);
}

std::filesystem::path folder_of(const std::filesystem::path& path) {
    return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

}  // namespace

void throw_io_error(const std::filesystem::path& path, std::string_view action, int error_number) {
    throw engine::IoError("cannot " + std::string(action) + " " + path.string() + ": " +
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
    if (::rename(temporary_.c_str(), path_.c_str()) != 0) throw_io_error(path_, "write", errno);
    committed_ = true;
    synchronise(folder_of(path_), O_RDONLY | O_DIRECTORY);
}

void write_file(const std::filesystem::path& path, std::string_view contents) {
    NewFile file(path);
    file.write(std::as_bytes(std::span(contents)));
    file.commit();
}

std::string read_file(const std::filesystem::path& path, std::size_t most) {
    const Descriptor file = open_for_reading(path);
    std::string contents;
    std::array<std::byte, 65536> buffer{};
    while (const std::size_t got = read_bytes(file, buffer, path)) {
        contents.append(reinterpret_cast<const char*>(buffer.data()), got);
        if (contents.size() > most)
            throw engine::IoError("cannot read " + path.string() + ": larger than " + std::to_string(most) + " bytes");
    }
    return contents;
}

void create_folder(const std::filesystem::path& path) {
    std::error_code error;
    std::filesystem::create_directories(path, error);
    if (error) throw_io_error(path, "create the folder", error.value());
}

bool exists(const std::filesystem::path& path) {
    std::error_code error;
    const bool found = std::filesystem::exists(path, error);
    if (error) throw_io_error(path, "read", error.value());
    return found;
}

void remove_tree(const std::filesystem::path& path) {
    std::error_code error;
    std::filesystem::remove_all(path, error);
    if (error) throw_io_error(path, "remove", error.value());
}

}  // namespace io
