// What a client read back from the renderer that made the recording, and what we give in its place: the references of
// frames without a picture.
#pragma once

#include <cstdint>

#include "models/functional/texture/resource.h"
#include "models/functional/virgl/record_stream.h"

namespace models::functional {

struct ReadBackCheck {
    std::uint32_t resource = 0;  // handle
    std::uint64_t bytes = 0;
    bool present = false;         // the recording has the reply, as long as it should be
    std::uint64_t words = 0;      // dwords; the last may be a part
    std::uint64_t different = 0;  // dwords
    // Of floats, where all dwords that differ are: relative to the largest magnitude among the recorded ones. Infinite
    // where one is no normal float: integers, and floats that are not close, count as wrong.
    double largest_difference = 0;

    // Equal, or as near as floats of two renderers are whose sines differ.
    bool right() const { return present && largest_difference <= tolerance; }
    static constexpr double tolerance = 1e-6;
};

ReadBackCheck compare_read_back(Bytes made, Bytes recorded);

}  // namespace models::functional
