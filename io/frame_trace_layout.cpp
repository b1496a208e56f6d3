#include "io/frame_trace_layout.h"

#include <bit>
#include <cerrno>
#include <charconv>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/error.h"
#include "io/digest.h"
#include "io/file.h"
#include "io/frame_trace_codec.h"
#include "io/frame_trace_file.h"
#include "io/frame_trace_programs.h"
#include "io/recording/file.h"

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

std::string label_text(const Content& content) {
    return std::string(frame_trace_magic) + std::to_string(frame_trace_version) + "\ncontent " +
           std::to_string(content.bytes) + " xxh3-128 " + content.digest + "\n";
}

std::string read_label(const Descriptor& file, const std::filesystem::path& path) {
    std::string label(frame_trace_label_bytes, '\0');
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

void write_label(const std::filesystem::path& path) {
    const Descriptor file(::open(path.c_str(), O_RDWR | O_CLOEXEC));
    if (!file.is_open()) throw_io_error(path, "write", errno);
    (void)read_label(file, path);
    std::string label = label_text(digest_content(file, path));
    label.resize(frame_trace_label_bytes, '\0');
    const ssize_t written = ::pwrite(file.number(), label.data(), label.size(), 0);
    if (written != static_cast<ssize_t>(label.size())) throw_io_error(path, "write", written < 0 ? errno : ENOSPC);
}

void check_label(const std::filesystem::path& path) {
    const Descriptor file = open_for_reading(path);
    const std::string label = read_label(file, path);
    if (!label.starts_with(frame_trace_magic))
        throw engine::InputError(path.string() + ": byte 0: not a frame trace (expected \"" +
                                 std::string(frame_trace_magic) + "\")");
    const std::uint64_t version = label_number(label, frame_trace_magic);
    if (version != frame_trace_version)
        throw engine::InputError(path.string() + ": frame trace version " + std::to_string(version) +
                                 "; this program reads version " + std::to_string(frame_trace_version) +
                                 ": trace the recording again");
    const Content content = digest_content(file, path);
    const std::uint64_t expected = label_number(label, "\ncontent ");
    if (content.bytes != expected)
        throw engine::InputError(path.string() + ": truncated: expected " +
                                 std::to_string(expected + frame_trace_label_bytes) + " bytes, found " +
                                 std::to_string(content.bytes + label.size()));
    if (!label.starts_with(label_text(content)))
        throw engine::InputError(path.string() + ": damaged: the content's digest is " + content.digest +
                                 ", the label says another");
}

std::string frame_digest(const models::Frame& frame, std::string_view png) {
    Digest digest;
    digest.add(frame.number);
    digest.add(static_cast<std::uint8_t>(frame.check.present ? 1 : 0));
    digest.add(std::bit_cast<std::uint64_t>(frame.check.psnr));
    digest.add(frame.check.largest_difference);
    const FlatPasses passes = flatten_passes(frame);
    visit_tables(frame, passes, [&](std::string_view table, const auto& rows, const auto& columns) {
        digest.add(table);
        columns([&](const auto& column) {
            const auto values = raw_values(rows, column);
            digest.add(std::span(values));
        });
    });
    digest.add(png);
    return digest.hex();
}

std::string trace_digest(const std::vector<models::Program>& programs, const std::vector<std::string>& frame_digests) {
    Digest digest;
    add_programs(digest, programs);
    for (const std::string& frame : frame_digests) digest.add(frame);
    return digest.hex();
}

std::array<std::uint8_t, 16> digest_from_hex(const std::string& hex) {
    std::array<std::uint8_t, 16> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i) std::from_chars(&hex[2 * i], &hex[2 * i] + 2, bytes[i], 16);
    return bytes;
}

std::string hex_from_digest(const std::uint8_t* bytes) {
    std::string hex;
    for (std::size_t i = 0; i < 16; ++i) {
        hex += "0123456789abcdef"[bytes[i] >> 4];
        hex += "0123456789abcdef"[bytes[i] & 15];
    }
    return hex;
}

FlatPasses flatten_passes(const models::Frame& frame) {
    FlatPasses flat;
    for (const models::Pass& pass : frame.passes) {
        flat.rows.push_back({pass, static_cast<std::uint32_t>(pass.colour.size())});
        flat.colours.insert(flat.colours.end(), pass.colour.begin(), pass.colour.end());
    }
    return flat;
}

bool unflatten_passes(const FlatPasses& flat, models::Frame& frame) {
    std::size_t used = 0;
    for (const PassRow& row : flat.rows) {
        if (row.colour_count > flat.colours.size() - used) return false;
        models::Pass& pass = frame.passes.emplace_back(row.pass);
        const auto first = flat.colours.begin() + static_cast<std::ptrdiff_t>(used);
        pass.colour.assign(first, first + row.colour_count);
        used += row.colour_count;
    }
    return used == flat.colours.size();
}

}  // namespace io
