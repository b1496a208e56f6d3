// Which 64-byte memory blocks the executed texture instructions of a batch touched. One entry per executed texture
// instruction, or one for each texture of an array and each texel offset that its lanes chose, in order of execution;
// for each group of lanes (a quad, or a single lane in the vertex stage) the distinct blocks of its active lanes in the
// order of the lanes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/frame_trace/frame_trace.h"
#include "models/functional/shader_batch.h"

namespace models::functional {

// What sampling costs a group of lanes, besides blocks: fields of TextureAccess.
struct SampleCost {
    std::uint16_t samples = 0;
    std::uint16_t lod = 0;
    TextureFilter filter = TextureFilter::nothing;
};

struct FootprintEntry {
    int instruction = 0;                             // program counter
    LaneMask active = 0;                             // lanes that executed it
    std::uint32_t first_block = 0;                   // in Footprint::blocks; groups follow each other in order
    std::array<std::uint16_t, batch_lanes> count{};  // blocks of each group; groups without active lanes have 0
    std::array<SampleCost, batch_lanes> cost{};      // of each group
    std::uint8_t texel_bytes = 0;                    // as TextureAccess has it; 0: there is no texture
    bool continues = false;  // the instruction of the entry before, with another texture or offset
};

struct Footprint {
    std::vector<FootprintEntry> entries;
    std::vector<BlockNumber> blocks;

    void clear() {  // keeps the memory
        entries.clear();
        blocks.clear();
    }
};

}  // namespace models::functional
