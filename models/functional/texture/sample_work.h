// What a texture request works on between its stages: the lanes of the quads with an active lane, packed, with
// projected coordinates and chosen levels. Used only by the texture unit.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "models/functional/shader_batch.h"
#include "models/functional/texture/bound_texture.h"
#include "models/functional/texture/texel_fetch.h"

namespace models::functional {

struct SampleWork {
    int count = 0;                   // lanes; a multiple of 4, whole quads one after the other, unless filtered
    bool dense = false;              // lane[j] is j
    std::uint8_t lane[batch_lanes];  // of the batch
    float coordinates[3][batch_lanes];
    float reference[batch_lanes];
    int layer[batch_lanes];  // of an array; of the first face of a cube
    int face[batch_lanes];   // of a cube, else 0
    int level[2][batch_lanes];
    float level_weight[batch_lanes];    // of the second level, 0: only the first is read
    float gradient[2][2][batch_lanes];  // [x, y of the screen][s, t], for anisotropic filters
};

// The memory blocks that each lane touched, in order of first touch.
class BlockLog {
  public:
    void begin(LaneMask active) {
        active_ = active;
        for (LaneMask rest = active; rest != 0; rest &= rest - 1)
            blocks_[static_cast<std::size_t>(std::countr_zero(rest))].clear();
    }
    bool records(int lane) const { return ((active_ >> lane) & 1U) != 0; }
    void add(int lane, Address address) { add_block(lane, static_cast<BlockNumber>(address / block_bytes)); }
    void add_block(int lane, BlockNumber block) {
        std::vector<BlockNumber>& blocks = blocks_[static_cast<std::size_t>(lane)];
        for (const BlockNumber known : blocks)
            if (known == block) return;
        blocks.push_back(block);
    }
    const std::vector<BlockNumber>& blocks(int lane) const { return blocks_[static_cast<std::size_t>(lane)]; }

  private:
    std::array<std::vector<BlockNumber>, batch_lanes> blocks_;
    LaneMask active_ = 0;
};

// What the filters share within a request.
struct SampleContext {
    const BoundTexture& texture;
    BlockCache& cache;
    BlockLog* log;  // nullptr: nothing is recorded
    int offset[3];
    bool compare;
};

using Colours = float[batch_lanes][4];  // by position in the work

// One level of each lane, with the nearest texel or with linear filters, in 8 bits. `which` chooses level[0] or [1].
void sample_bytes(const SampleContext& context, const SampleWork& work, int which, bool linear, std::uint32_t* words);

// a + (b - a) * weight / 256 of each byte, rounded.
inline std::uint32_t mix_words(std::uint32_t weight, std::uint32_t a, std::uint32_t b) {
    constexpr std::uint32_t even = 0x00ff00ffU, half = 0x00800080U;
    const std::uint32_t rest = 256 - weight;
    const std::uint32_t low = (((a & even) * rest + (b & even) * weight + half) >> 8) & even;
    const std::uint32_t high = (((a >> 8) & even) * rest + ((b >> 8) & even) * weight + half) & ~even;
    return low | high;
}

// The same in floats, with comparison, border colours and seamless cubes.
void sample_floats(const SampleContext& context, const SampleWork& work, int which, bool linear, Colours& colours);

// An elliptical weighted average over level[0]. `texels`: how many each lane's ellipse has.
void sample_anisotropic(const SampleContext& context, const SampleWork& work, Colours& colours, int* texels);

// The four texels of level[0] that a linear filter would weigh, of the component that `swizzle` names.
void gather_texels(const SampleContext& context, const SampleWork& work, Swizzle swizzle, Colours& colours);

}  // namespace models::functional
