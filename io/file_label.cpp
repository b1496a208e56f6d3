#include "io/file_label.h"

#include <cerrno>
#include <charconv>
#include <span>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "engine/error.h"
#include "io/digest.h"
#include "io/file.h"
#include "io/recording/input_file.h"

namespace io {

namespace {

// The digest and size of everything behind the label.
struct Content {
    std::uint64_t bytes = 0;
    std::string digest;
};

Content digest_content(const Descriptor& file, const std::filesystem::path& path) {
    Digest digest;
    Content content;
    std::vector<std::byte> buffer(std::size_t{1} << 20);
    while (const std::size_t got = read_bytes(file, buffer, path)) {
        digest.add_bytes(buffer.data(), got);
        content.bytes += got;
    }
    content.digest = digest.hex();
    return content;
}

std::string label_text(const Content& content, const FileKind& kind) {
    return kind.magic + std::to_string(kind.version) + "\ncontent " + std::to_string(content.bytes) + " xxh3-128 " +
           content.digest + "\n";
}

std::string read_label(const Descriptor& file, const std::filesystem::path& path) {
    std::string label(label_bytes, '\0');
    label.resize(read_bytes(file, std::as_writable_bytes(std::span(label)), path));
    return label;
}

// The number behind `key` in the label, or 0.
std::uint64_t label_number(const std::string& label, std::string_view key) {
    std::uint64_t number = 0;
    const std::size_t at = label.find(key);
    if (at != std::string::npos) std::from_chars(label.data() + at + key.size(), label.data() + label.size(), number);
    return number;
}

}  // namespace

void write_label(const std::filesystem::path& path, const FileKind& kind) {
    const Descriptor file(::open(path.c_str(), O_RDWR | O_CLOEXEC));
    if (!file.is_open()) throw_io_error(path, "write", errno);
    (void)read_label(file, path);
    std::string label = label_text(digest_content(file, path), kind);
    label.resize(label_bytes, '\0');
    const ssize_t written = ::pwrite(file.number(), label.data(), label.size(), 0);
    if (written != static_cast<ssize_t>(label.size())) throw_io_error(path, "write", written < 0 ? errno : ENOSPC);
}

void check_label(const std::filesystem::path& path, const FileKind& kind) {
    const Descriptor file = open_input(path);
    const std::string label = read_label(file, path);
    if (!label.starts_with(kind.magic))
        throw engine::InputError(path.string() + ": byte 0: not a file of Tessera " + kind.name + " (expected \"" +
                                 kind.magic + "\"), found " + describe_content(std::as_bytes(std::span(label))));
    const std::uint64_t version = label_number(label, kind.magic);
    const bool older = version < static_cast<std::uint64_t>(kind.version);
    if (version != static_cast<std::uint64_t>(kind.version))
        throw engine::InputError(path.string() + ": " + kind.name + ", version " + std::to_string(version) +
                                 "; this program reads version " + std::to_string(kind.version) +
                                 (older && !kind.remedy.empty() ? "; " + kind.remedy : ""));
    const Content content = digest_content(file, path);
    const std::uint64_t expected = label_number(label, "\ncontent ");
    if (content.bytes != expected)
        throw engine::InputError(path.string() + (content.bytes < expected ? ": truncated" : ": longer than it says") +
                                 ": expected " + std::to_string(expected + label_bytes) + " bytes, found " +
                                 std::to_string(content.bytes + label.size()));
    if (!label.starts_with(label_text(content, kind)))
        throw engine::InputError(path.string() + ": damaged: the content's digest is " + content.digest +
                                 ", the label says another");
}

bool has_label(const std::filesystem::path& path, const FileKind& kind) {
    const Descriptor file = open_input(path);
    return read_label(file, path).starts_with(kind.magic);
}

}  // namespace io
