#include "io/recording/input_file.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>

#include "engine/error.h"

namespace io {
namespace {

const char* kind_of(mode_t mode) {
    if (S_ISDIR(mode)) return "a folder";
    if (S_ISFIFO(mode)) return "a pipe";
    if (S_ISSOCK(mode)) return "a socket";
    return "a device";
}

void refuse_all_but_files(const struct stat& found, const std::filesystem::path& path) {
    if (!S_ISREG(found.st_mode))
        throw engine::IoError("cannot read " + path.string() + ": expected a regular file, found " +
                              kind_of(found.st_mode));
}

struct Known {
    std::string_view start;
    const char* what;
};

constexpr const char* apitrace = "an apitrace? replay it with `tessera record --apitrace`";
constexpr const char* otherwise = "compressed otherwise: only zstd is understood";

constexpr std::array known{
    Known{"VTR0", "a recording: `tessera trace`, `cut`, `run` and `info` read it"},
    Known{"\x28\xb5\x2f\xfd", "zstd data, as recordings are: `tessera info` tells whether it is one"},
    Known{"TESSERA FRAME TRACE ", "a frame trace: `tessera run`, `plan` and `info` read it"},
    Known{"TESSERA RESULTS ", "Tessera results: `tessera digest` and `tessera compare` read them"},
    Known{"\x89HDF", "an HDF5 file without Tessera's label"},
    Known{"\x89PNG", "a PNG image"},
    Known{"apitrace", apitrace},
    Known{"SNAP", apitrace},
    Known{"\x1f\x8b", otherwise},
    Known{"\xfd\x37zXZ", otherwise},
    Known{"BZh", otherwise},
    Known{"\x7f\x45LF", "a program"},
};

bool starts_with(std::span<const std::byte> bytes, std::string_view text) {
    return bytes.size() >= text.size() && std::memcmp(bytes.data(), text.data(), text.size()) == 0;
}

bool is_text(std::span<const std::byte> content) {
    const auto first = content.first(std::min<std::size_t>(content.size(), 32));
    return std::all_of(first.begin(), first.end(), [](std::byte value) {
        return (value >= std::byte{0x20} && value < std::byte{0x7f}) || value == std::byte{'\t'} ||
               value == std::byte{'\n'} || value == std::byte{'\r'};
    });
}

}  // namespace

Descriptor open_input(const std::filesystem::path& path) {
    struct stat found{};
    if (::stat(path.c_str(), &found) != 0) fail_with_errno("cannot read " + path.string());
    refuse_all_but_files(found, path);  // opening a device may already do something
    Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)};
    if (!file.is_open() || ::fstat(file.number(), &found) != 0) fail_with_errno("cannot read " + path.string());
    refuse_all_but_files(found, path);  // it may have changed since
    return file;
}

std::uint64_t size_of(const Descriptor& file, const std::filesystem::path& path) {
    struct stat found{};
    if (::fstat(file.number(), &found) != 0) fail_with_errno("cannot read " + path.string());
    return static_cast<std::uint64_t>(found.st_size);
}

std::string_view kind_of_content(std::span<const std::byte> content) {
    for (const Known& kind : known)
        if (starts_with(content, kind.start)) return kind.what;
    return starts_with(content, "at") && !is_text(content) ? apitrace : "";
}

std::string describe_content(std::span<const std::byte> content) {
    if (content.empty()) return "an empty file";
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (const std::byte value : content.first(std::min<std::size_t>(content.size(), 4))) {
        if (!text.empty()) text += ' ';
        text += digits[std::to_integer<std::size_t>(value >> 4)];
        text += digits[std::to_integer<std::size_t>(value & std::byte{15})];
    }
    if (const std::string kind(kind_of_content(content)); !kind.empty()) return text + " (" + kind + ")";
    return is_text(content) ? text + " (text)" : text;
}

}  // namespace io
