#include "io/frame_trace_layout.h"

#include <bit>
#include <charconv>

#include "io/frame_trace_codec.h"
#include "io/frame_trace_programs.h"

namespace io {

void begin_frame_digest(Digest& digest, const models::Frame& frame) {
    digest.add(frame.number);
    digest.add(static_cast<std::uint8_t>(frame.check.present ? 1 : 0));
    digest.add(std::bit_cast<std::uint64_t>(frame.check.psnr));
    digest.add(frame.check.largest_difference);
    digest.add(std::bit_cast<std::uint64_t>(frame.check.ssim));
    digest.add(std::bit_cast<std::uint64_t>(frame.check.share_off));
}

std::string frame_digest(const models::Frame& frame, std::string_view png) {
    Digest digest;
    begin_frame_digest(digest, frame);
    const FlatPasses passes = flatten_passes(frame);
    visit_tables(frame, passes, [&](std::string_view table, const auto& rows, const auto& columns) {
        digest.add(table);
        columns([&](const auto& column) { add_values(digest, rows, column); });
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
