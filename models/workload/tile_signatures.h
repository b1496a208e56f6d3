// Which tiles of render targets get the colours that memory has already: their hashes are those of the last store to
// the same place. A pure function of the frames that were loaded, in their order.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "models/workload/resolves.h"

namespace models {

class TileSignatures {
  public:
    // `enabled`: false, and no tile is unchanged.
    explicit TileSignatures(bool enabled) : enabled_(enabled) {}

    // The next frame. A surface whose memory the driver writes, or a pass as that of another surface, is not known any
    // more: until a pass has stored it again, unless the driver writes while that is drawn.
    void load(const Frame& frame, const Resolves& resolves);

    // Of a tile of the pass: what is stored at its end is in memory, for all colour targets.
    bool is_unchanged(const Pass& pass, std::uint32_t tile) const {
        return enabled_ && unchanged_[pass.first_tile + tile] != 0;
    }

  private:
    // A surface as a pass last stored it.
    struct Stored {
        Surface surface;
        std::uint32_t tiles_x = 0, tiles_y = 0;
        std::vector<std::uint64_t> hashes;  // by tile; 0: not known
    };
    struct Range {
        Address begin = 0, end = 0;
    };
    static Range range_of(const Surface& surface);
    void forget_uploaded(const Frame& frame, std::uint32_t first, std::uint32_t end);
    void forget(const Range& range, const Surface* kept = nullptr);
    void store(const Frame& frame, const Pass& pass, std::uint32_t first);

    bool enabled_;
    std::map<Address, Stored> stored_;
    std::vector<std::uint8_t> unchanged_;  // by tile of the frame
};

}  // namespace models
