// Which pictures the recorder left out of a recording (RecordKind::skipped).
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "models/functional/virgl/record_stream.h"

namespace io {

// By the number of the frame whose messages they are among: the offsets of the records where they end. Their drawing is
// not the frame's work, which begins behind the last one, but leaves the state that it begins with.
std::map<std::uint32_t, std::vector<std::uint64_t>> pictures_left_out(models::functional::Bytes stream);

}  // namespace io
