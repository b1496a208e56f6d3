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

// Why there can be no folder of this path, where what stands in its way tells; else empty.
std::string obstacle(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::path at = folder;
    while (!std::filesystem::exists(std::filesystem::symlink_status(at, error)) && at.has_relative_path())
        at = at.parent_path();
    if (at.empty() || std::filesystem::is_directory(at, error)) return {};
    const std::string remedy = "; remove it, or write to another place";
    if (std::filesystem::exists(at, error)) return at.string() + " is no folder" + remedy;
    return at.string() + " is a link to " + std::filesystem::read_symlink(at, error).string() + ", which is not there" +
           remedy;
}

}  // namespace

void throw_io_error(const std::filesystem::path& path, std::string_view action, int error_number) {
    throw engine::IoError("cannot " + std::string(action) + " " + path.string() + ": " +
                          std::generic_category().message(error_number));
}

void write_file(const std::filesystem::path& path, std::string_view contents, Existing existing) {
    NewFile file(path, existing);
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
    if (!error) return;
    if (const std::string text = obstacle(path); !text.empty())
        throw engine::IoError("cannot create the folder " + path.string() + ": " + text);
    throw_io_error(path, "create the folder", error.value());
}

bool exists(const std::filesystem::path& path) {
    std::error_code error;
    const bool found = std::filesystem::exists(path, error);
    if (error) throw_io_error(path, "read", error.value());
    return found;
}

}  // namespace io
