// What writer and reader of frame trace files share besides the columns: the label, the
// digests, and passes made flat. Internal to io.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/digest.h"
#include "io/file_label.h"
#include "io/frame_trace_columns.h"
#include "io/frame_trace_file.h"

namespace io {

inline const FileKind frame_trace_kind{"TESSERA FRAME TRACE ", "frame traces", frame_trace_version,
                                       "make the file anew: tessera trace RECORDING --output FILE"};

// Of a frame for which several threads are woken: what its rows take in memory, and what its largest column takes.
inline constexpr std::uint64_t large_frame_bytes = 8 << 20, large_column_bytes = 1 << 20;

// The digest of a frame: of its number and check, then of each table its name and the values of its columns, as
// visit_tables() has them, then of the PNG.
void begin_frame_digest(Digest& digest, const models::Frame& frame);
std::string frame_digest(const models::Frame& frame, std::string_view png);
std::string trace_digest(const std::vector<models::Program>& programs, const std::vector<std::string>& frame_digests);

std::array<std::uint8_t, 16> digest_from_hex(const std::string& hex);
std::string hex_from_digest(const std::uint8_t* bytes);

FlatPasses flatten_passes(const models::Frame& frame);
// False if there are fewer or more colour surfaces than the passes claim.
bool unflatten_passes(const FlatPasses& flat, models::Frame& frame);

}  // namespace io
