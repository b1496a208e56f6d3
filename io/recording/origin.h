// What produced a recording: names and texts such as ("command", "neverball -l easy.sol"), in the order given. In the
// file a record of kind 2, UTF-8: lines "NAME=TEXT", a backslash and a line end of TEXT as "\\" and "\n".
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace io {

using RecordingOrigin = std::vector<std::pair<std::string, std::string>>;

std::string encode_origin(const RecordingOrigin& origin);
// Lines that are not NAME=TEXT are left out: what a recording says of itself is no reason to refuse it.
RecordingOrigin decode_origin(std::span<const std::byte> payload);

// Of all records of kind 2 in a decompressed stream; empty if there is none.
RecordingOrigin origin_of(std::span<const std::byte> stream);

// Whether every byte of messages and replies is under a checksum.
bool has_checksums(std::span<const std::byte> stream);

}  // namespace io
