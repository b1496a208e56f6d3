// How much work a frame is, counted from the trace: what the counters of any machine must come to.
#pragma once

#include <cstdint>
#include <functional>

#include "models/workload/workload.h"

namespace models {

struct FrameWork {
    std::uint64_t quads = 0;                                       // rasterised
    std::uint64_t killed = 0;                                      // of them, those whose lanes are all hidden
    std::uint64_t depth_only = 0;                                  // of draws of which depth is all that is drawn
    std::uint64_t fragments = 0;                                   // shaded
    std::uint64_t accesses = 0;                                    // texture instructions of shaded quads
    std::uint64_t samples = 0;                                     // bilinear ones, of those
    std::uint64_t filter_cycles = 0;                               // of texture units, for those
    std::uint64_t blocks = 0;                                      // that those touch
    std::uint64_t quad_instructions = 0, thread_instructions = 0;  // of shaded quads, and of their lanes
    std::uint64_t draws = 0, primitives = 0, indices = 0;
    std::uint64_t upload_lines = 0;
    std::uint64_t unchanged_tiles = 0;  // of those that are rendered
    std::uint64_t vertices = 0;         // named by an index

    FrameWork& operator+=(const FrameWork& other);
};

// `filter_cycles`: what a texture access takes of its unit's filter, in cycles.
FrameWork count_work(const FrameTrace& trace, const Workload& workload,
                     const std::function<std::uint32_t(const TextureAccess&)>& filter_cycles,
                     const ForEach& for_each = in_turn);

}  // namespace models
