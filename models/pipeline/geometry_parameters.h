// Parameters of the geometry front end.
#pragma once

#include "models/base/clocks.h"

namespace models {

// Where the driver's writes of a frame go.
enum class UploadPath : std::uint8_t { dram, l2, free };

struct GeometryParameters : ParameterGroup {
    using ParameterGroup::ParameterGroup;
    Parameter<Cycles> draw_cost{
        this,    "draw_cost", {16}, {{1}, {100'000}}, "cycles of the command processor per draw (state, constants)",
        "design"};
    Parameter<Bytes> command_bytes{this,
                                   "command_bytes",
                                   {256},
                                   {{0}, {8192}},
                                   "what the command processor reads of memory per draw, and the driver writes; 0: it "
                                   "costs nothing",
                                   "design: job, draw and state descriptors of a draw are some hundreds of bytes"};
    Parameter<int> command_lines{
        this, "command_lines", 4, {1, 64}, "lines of commands fetched ahead of what is executed", "design"};
    Parameter<int> post_transform_entries{
        this,
        "post_transform_entries",
        32,
        {0, 1 << 20},
        "shaded vertices kept for reuse by later indices of the draw, first in first out; 0: all of a draw",
        "design: a vertex cache after transformation holds some tens of vertices; the trace shades each once"};
    Parameter<int> vertex_queue{this,
                                "vertex_queue",
                                16,
                                {1, 4096},
                                "entries (vertices) before and after each vertex processor, whole warps",
                                "paper 004, Table I (136 bytes an entry)"};
    Parameter<int> index_lines{this, "index_lines", 4, {1, 64}, "lines of indices fetched ahead", "design"};
    Parameter<int> index_queue{this, "index_queue", 256, {8, 65536}, "indices between fetch and assembly", "design"};
    Parameter<int> vertices_per_cycle{
        this, "vertices_per_cycle", 1, {1, 16}, "throughput of primitive assembly", "paper 004, Table I"};
    Parameter<int> triangle_queue{this,
                                  "triangle_queue",
                                  16,
                                  {1, 4096},
                                  "entries before the polygon-list builder",
                                  "paper 004, Table I (388 bytes an entry)"};
    Choice<UploadPath> uploads{this,
                               "uploads",
                               {{"dram", UploadPath::dram}, {"l2", UploadPath::l2}, {"free", UploadPath::free}},
                               UploadPath::dram,
                               "where the driver writes textures, buffers and constants of a frame: past the L2 cache, "
                               "which has dropped what it had of them before the frame, into it, or nowhere (it costs "
                               "nothing; caches of cores forget what is written all the "
                               "same, the L2 cache has the new in place of the old)",
                               "design: a processor's stores go to memory, the GPU's caches drop what they have"};
};

}  // namespace models
