// The parameters of a machine: every number a configuration may change, declared once. The defaults are the machine
// `bifrost32` of paper 004, Table I; where the table is silent the source says "design" and the doc says why.
//
// Cycles are cycles of the GPU clock unless the doc says otherwise. A cache line is 64 bytes everywhere (Table I).
#pragma once

#include <string_view>

#include "engine/parameter.h"

namespace models {

using engine::Bytes;
using engine::Choice;
using engine::Cycles;
using engine::Frequency;
using engine::Parameter;
using engine::ParameterGroup;

// A cache that answers reads of whole lines.
struct CacheParameters : ParameterGroup {
    struct Defaults {
        Bytes capacity;
        int ways;
        Cycles latency;
        int mshrs;
        std::string_view source;
    };
    CacheParameters(ParameterGroup* parent, std::string_view name, std::string_view doc, const Defaults& defaults);
    Parameter<Bytes> capacity;
    Parameter<int> ways;
    Parameter<Cycles> latency;
    Parameter<int> mshrs;
    Parameter<int> merges;
    void check() const override;
};

// A processor that executes vertex or fragment programs.
struct ShaderCoreParameters : ParameterGroup {
    struct Defaults {
        int count, most, warps, groups_per_warp;
        std::string_view group_doc, count_source, group_source;
    };
    ShaderCoreParameters(ParameterGroup* parent, std::string_view name, std::string_view doc, const Defaults& defaults);
    Parameter<int> count;
    Parameter<int> warps;
    Parameter<int> groups_per_warp;
    Parameter<int> vector_width;
    Parameter<Cycles> alu_latency;
    Parameter<Cycles> special_latency;
    Parameter<Cycles> special_interval;
    Choice issue_policy;
};

struct GpuParameters : ParameterGroup {
    using ParameterGroup::ParameterGroup;
    Parameter<Frequency> frequency{this,
                                   "frequency",
                                   {600'000'000},
                                   {{1'000'000}, {10'000'000'000}},
                                   "clock of all blocks but the DRAM",
                                   "paper 004, Table I"};
};

struct GeometryParameters : ParameterGroup {
    using ParameterGroup::ParameterGroup;
    Parameter<Cycles> draw_cost{
        this,    "draw_cost", {16}, {{1}, {100'000}}, "cycles of the command processor per draw (state, constants)",
        "design"};
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
    Parameter<int> index_queue{this, "index_queue", 128, {8, 65536}, "indices between fetch and assembly", "design"};
    Parameter<int> vertices_per_cycle{
        this, "vertices_per_cycle", 1, {1, 16}, "throughput of primitive assembly", "paper 004, Table I"};
    Parameter<int> triangle_queue{this,
                                  "triangle_queue",
                                  16,
                                  {1, 4096},
                                  "entries before the polygon-list builder",
                                  "paper 004, Table I (388 bytes an entry)"};
};

struct TilingParameters : ParameterGroup {
    using ParameterGroup::ParameterGroup;
    Parameter<Bytes> parameter_buffer{
        this,
        "parameter_buffer",
        {32 << 20},
        {{1 << 16}, {1 << 29}},
        "memory for the primitives and tile lists of one pass; there are two such buffers",
        "design"};
    Parameter<Bytes> list_entry{this,
                                "list_entry",
                                {4},
                                {{4}, {64}},
                                "bytes of a primitive's entry in the list of a tile",
                                "design: an index of 32 bits"};
    Parameter<Bytes> primitive_header{this,
                                      "primitive_header",
                                      {4},
                                      {{0}, {64}},
                                      "bytes of a primitive beside its three vertices of 16 bytes an attribute",
                                      "paper 004, Table I: triangle entry 388 bytes = 3 x 128 + 4"};
    Parameter<int> write_buffer{
        this, "write_buffer", 16, {1, 256}, "lines of tile lists collected before they are written", "design"};
    Parameter<int> triangle_queue{this,
                                  "triangle_queue",
                                  16,
                                  {2, 4096},
                                  "entries between tile fetcher and rasteriser (triangles and tiles)",
                                  "paper 004, Table I (388 bytes an entry)"};
    Choice tile_order{this,
                      "tile_order",
                      {"row", "morton"},
                      "row",
                      "order in which tiles are rendered: row by row, or along a Z curve",
                      "design"};
    void check() const override;
};

struct RasterParameters : ParameterGroup {
    using ParameterGroup::ParameterGroup;
    Parameter<int> attributes_per_cycle{
        this, "attributes_per_cycle", 1, {1, 64}, "attributes set up per cycle for a primitive", "paper 004, Table I"};
    Parameter<int> quads_per_cycle{
        this, "quads_per_cycle", 1, {1, 16}, "quads rasterised, tested and handed out per cycle", "design"};
    Parameter<int> early_depth_quads{
        this, "early_depth_quads", 8, {1, 1024}, "quads in flight in the early depth test", "paper 004, Table I"};
    Parameter<Cycles> early_depth_latency{this,
                                          "early_depth_latency",
                                          {4},
                                          {{1}, {64}},
                                          "cycles of the early depth test of a quad, the depth buffer's one included",
                                          "design; depth buffer 1 cycle: paper 004, Table I"};
    Choice distribution{this,
                        "distribution",
                        {"round_robin", "position", "least_loaded"},
                        "round_robin",
                        "which fragment processor gets a quad: the next with a free entry, a fixed one for each "
                        "place on the screen, or the one with the most free entries",
                        "design"};
    Parameter<int> fragment_queue{
        this,
        "fragment_queue",
        64,
        {1, 65536},
        "entries (quads) between raster and fragment processors, shared out among the processors as equally as can be",
        "paper 004, Table I (233 bytes an entry)"};
};

struct TextureUnitParameters : ParameterGroup {
    using ParameterGroup::ParameterGroup;
    Parameter<int> accesses{
        this, "accesses", 16, {1, 256}, "texture accesses of quads (or vertices) in flight in the unit", "design"};
    Parameter<int> blocks_per_cycle{
        this,
        "blocks_per_cycle",
        4,
        {1, 64},
        "lines looked up per cycle for one access; a bilinear quad touches up to 4, a trilinear one up to 8",
        "Arm Valhall performance guide: one bilinear quad a cycle, trilinear at half rate"};
    Parameter<Cycles> filter_latency{this,
                                     "filter_latency",
                                     {8},
                                     {{0}, {256}},
                                     "cycles from the last line of an access to the filtered colour in its register",
                                     "design"};
};

struct BlendingParameters : ParameterGroup {
    using ParameterGroup::ParameterGroup;
    Parameter<int> colour_queue{this,
                                "colour_queue",
                                64,
                                {1, 65536},
                                "entries (quads) between fragment processors and blending, shared out among the "
                                "processors as equally as can be",
                                "paper 004, Table I (24 bytes an entry)"};
    Parameter<int> quads_per_cycle{this, "quads_per_cycle", 1, {1, 32}, "quads blended per cycle", "design"};
    Parameter<Cycles> latency{this,
                              "latency",
                              {1},
                              {{1}, {64}},
                              "cycles from a quad's blending until the next at its place",
                              "paper 004, Table I: colour buffer 1 cycle"};
    Parameter<int> tile_buffers{
        this,
        "tile_buffers",
        2,
        {1, 16},
        "tiles that may be under way between raster and memory",
        "Mesa panfrost, pan_props.c: half of the tile buffer is usable when tiles are pipelined"};
};

struct L2Parameters : ParameterGroup {
    using ParameterGroup::ParameterGroup;
    Parameter<Bytes> capacity{
        this, "capacity", {1 << 20}, {{1 << 12}, {1 << 28}}, "data capacity of all slices", "paper 004, Table I"};
    Parameter<int> slices{this, "slices", 8, {1, 64}, "slices (banks), interleaved by line", "paper 004, Table I"};
    Parameter<int> ways{this, "ways", 8, {1, 64}, "associativity", "paper 004, Table I"};
    Parameter<Cycles> latency{
        this, "latency", {18}, {{2}, {1000}}, "from a request's turn to its answer on a hit", "paper 004, Table I"};
    Parameter<Cycles> tag_latency{
        this, "tag_latency", {6}, {{1}, {999}}, "part of the latency until a miss is known and leaves", "design"};
    Parameter<int> mshrs{this, "mshrs", 16, {1, 1024}, "lines in flight from DRAM, per slice", "design"};
    Parameter<int> merges{this, "merges", 16, {1, 256}, "requests that may wait for one line in flight", "design"};
    Parameter<int> requests_per_port{
        this,
        "requests_per_port",
        4,
        {1, 256},
        "requests of one processor that a slice has room for; the answer returns the credit",
        "design"};
    void check() const override;
};

struct DramParameters : ParameterGroup {
    using ParameterGroup::ParameterGroup;
    Parameter<Frequency> frequency{this,         "frequency",         {400'000'000}, {{1'000'000}, {10'000'000'000}},
                                   "DRAM clock", "paper 004, Table I"};
    Parameter<int> channels{this, "channels", 2, {1, 16}, "channels", "paper 004, Table I: dual channel LPDDR3"};
    Parameter<int> bytes_per_cycle{
        this, "bytes_per_cycle", 4, {1, 1024}, "bandwidth of all channels, per DRAM cycle", "paper 004, Table I"};
    Parameter<Cycles> row_hit_latency{this,
                                      "row_hit_latency",
                                      {50},
                                      {{1}, {10'000}},
                                      "DRAM cycles from request to the last byte when the row is open and all is idle",
                                      "paper 004, Table I: latency 50-100 cycles, taken as row hit and row miss"};
    Parameter<Cycles> row_miss_latency{this,
                                       "row_miss_latency",
                                       {100},
                                       {{1}, {10'000}},
                                       "the same when another row has to be closed first",
                                       "paper 004, Table I: latency 50-100 cycles, taken as row hit and row miss"};
    Parameter<int> row_hit_cap{this,
                               "row_hit_cap",
                               16,
                               {0, 1024},
                               "requests for an open row that may overtake an older one for another row of the bank",
                               "design"};
    Parameter<int> banks{this, "banks", 8, {1, 256}, "banks of a channel", "paper 004, Table I"};
    Parameter<Bytes> row{
        this, "row", {4096}, {{64}, {1 << 20}}, "bytes of an open row of a channel", "gem5, LPDDR3_1600_1x32"};
    Parameter<Bytes> interleave{this,    "interleave", {64}, {{64}, {1 << 20}}, "bytes before the next channel's turn",
                                "design"};
    Parameter<int> queue{this,
                         "queue",
                         32,
                         {1, 65536},
                         "entries of a channel's request queue, shared out among the L2 slices as equally as can be",
                         "design"};
    Parameter<Bytes> size{this,
                          "size",
                          {1 << 30},
                          {{1 << 20}, {std::int64_t{1} << 37}},
                          "memory; its top holds the parameter buffers and the programs",
                          "paper 004, Table I"};
    void check() const override;
};

struct NetworkParameters : ParameterGroup {
    using ParameterGroup::ParameterGroup;
    Parameter<Cycles> request_latency{
        this, "request_latency", {4}, {{1}, {1000}}, "cycles from a processor to an L2 slice", "design"};
    Parameter<Cycles> response_latency{
        this, "response_latency", {4}, {{1}, {1000}}, "cycles from an L2 slice to a processor", "design"};
    Parameter<Cycles> memory_latency{
        this, "memory_latency", {4}, {{1}, {1000}}, "cycles between an L2 slice and a DRAM channel", "design"};
    Parameter<Cycles> pipeline_latency{
        this,
        "pipeline_latency",
        {4},
        {{1}, {1000}},
        "cycles between neighbours in the graphics pipeline (raster, fragment processors, blending)",
        "design"};
    Parameter<Bytes> link_width{this,
                                "link_width",
                                {64},
                                {{1}, {64}},
                                "bytes of data a port injects per cycle; a message takes at least one cycle",
                                "design"};
};

struct MachineParameters : ParameterGroup {
    MachineParameters();
    GpuParameters gpu;
    GeometryParameters geometry;
    ShaderCoreParameters vertex_processor;
    CacheParameters vertex_cache;
    TilingParameters tiling;
    CacheParameters tile_cache;
    RasterParameters raster;
    ShaderCoreParameters fragment_processor;
    TextureUnitParameters texture_unit;
    CacheParameters texture_cache;
    CacheParameters instruction_cache;
    BlendingParameters blending;
    L2Parameters l2;
    DramParameters dram;
    NetworkParameters network;
    void check() const override;
};

// Ticks of a machine: the longest time that divides the periods of both clocks, and the periods in it. Parameters that
// have been checked leave at least an hour before engine::end_of_time.
struct Clocks {
    engine::Time gpu, dram;  // ticks of a cycle
    std::int64_t ticks_per_second;
    explicit Clocks(const MachineParameters& parameters);
};

// Of so many entries that are shared out: those of one of the sharers. Where they cannot be equal, the first ones get
// one more.
constexpr int share_of(int entries, int sharers, int index) {
    return entries / sharers + (index < entries % sharers ? 1 : 0);
}

}  // namespace models
