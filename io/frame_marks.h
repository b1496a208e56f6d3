// The records among the messages of a frame that say what of them is not its work, but leaves the state that it begins
// with: the drawing of pictures that the recorder left out (RecordKind::skipped), and what a cut put before its first
// frame (RecordKind::filled). The frame's work begins behind the last of them.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "models/functional/virgl/record_stream.h"

namespace io {

// By the number of the frame, the offsets of the records where the pictures end that were left out of it.
std::map<std::uint32_t, std::vector<std::uint64_t>> pictures_left_out(models::functional::Bytes stream);

// By the number of the frame, the offset of the last such record of either kind. Frames without one are not in it:
// their work begins where the frame before ends.
std::map<std::uint32_t, std::uint64_t> work_starts(models::functional::Bytes stream);

}  // namespace io
