// Windows: simulated time cut into equal pieces. Window k is [k * length, (k + 1) * length). Processes are advanced,
// and workers synchronise, in whole windows. The length is the least lookahead of a machine, so what is sent in a
// window arrives after it.
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdint>

#include "engine/units.h"

namespace engine {

class Windows {
  public:
    // In ticks, at least 1; longer than 2^60 ticks counts as 2^60.
    explicit Windows(Time length)
        : length_(std::min(length, Time{1} << 60)),
          shift_(static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(length_ - 1)))),
          magic_(static_cast<std::uint64_t>(((Wide{1} << (63U + shift_)) + static_cast<Wide>(length_ - 1)) /
                                            static_cast<Wide>(length_))) {
        assert(length >= 1);
    }

    Time length() const { return length_; }
    Time start(Time window) const { return window * length_; }
    Time end(Time window) const { return window * length_ + length_; }

    // The window of a time from 0 to `never`. A multiplication instead of the division: the factor is 2^(63 + shift) /
    // length, rounded up, which is exact for numbers below 2^63 as 2^shift >= length.
    Time of(Time time) const {
        assert(time >= 0);
        const Wide product = static_cast<Wide>(static_cast<std::uint64_t>(time) << 1U) * magic_;
        return static_cast<Time>(static_cast<std::uint64_t>(product >> 64U) >> shift_);
    }

  private:
    __extension__ using Wide = unsigned __int128;
    Time length_;
    unsigned shift_;
    std::uint64_t magic_;
};

}  // namespace engine
