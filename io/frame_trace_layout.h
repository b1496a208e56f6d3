// What writer and reader of frame trace files share besides the columns: the label in front of the HDF5 content, the
// digests, and passes made flat. Internal to io.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "io/frame_trace_columns.h"

namespace io {

// The first bytes of the file, as text: "TESSERA FRAME TRACE 1\ncontent BYTES xxh3-128 DIGEST\n", zeros after it. HDF5
// looks for its own content at byte 512.
inline constexpr std::size_t frame_trace_label_bytes = 512;
inline constexpr std::string_view frame_trace_magic = "TESSERA FRAME TRACE ";

void write_label(const std::filesystem::path& path);

// Throws engine::InputError if the file is not a frame trace, of another version, truncated or damaged.
void check_label(const std::filesystem::path& path);

std::string frame_digest(const models::Frame& frame, std::string_view png);
std::string trace_digest(const std::vector<models::Program>& programs, const std::vector<std::string>& frame_digests);

std::array<std::uint8_t, 16> digest_from_hex(const std::string& hex);
std::string hex_from_digest(const std::uint8_t* bytes);

FlatPasses flatten_passes(const models::Frame& frame);
// False if there are fewer or more colour surfaces than the passes claim.
bool unflatten_passes(const FlatPasses& flat, models::Frame& frame);

}  // namespace io
