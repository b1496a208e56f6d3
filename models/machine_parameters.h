// The parameters of a machine: every number a configuration may change, declared once, beside the part that it belongs
// to. The defaults are the machine `bifrost32` of paper 004, Table I; where the table is silent the source says
// "design" and the doc says why.
//
// Cycles are cycles of the GPU clock unless the doc says otherwise. A cache line is 64 bytes (Table I).
#pragma once

#include "models/base/clocks.h"
#include "models/core/shader_core_parameters.h"
#include "models/memory/cache_parameters.h"
#include "models/memory/dram_parameters.h"
#include "models/memory/l2_parameters.h"
#include "models/pipeline/colour_parameters.h"
#include "models/pipeline/geometry_parameters.h"
#include "models/pipeline/raster_parameters.h"
#include "models/workload/tiling_parameters.h"

namespace models {

struct NetworkParameters : ParameterGroup {
    using ParameterGroup::ParameterGroup;
    Parameter<Cycles> injection_latency{
        this,
        "injection_latency",
        {2},
        {{1}, {1000}},
        "cycles from a miss until its request leaves the processor: arbitration among its parts, injection",
        "design"};
    Parameter<Cycles> request_latency{
        this, "request_latency", {10}, {{1}, {1000}}, "cycles from a processor to an L2 slice", "design"};
    Parameter<Cycles> response_latency{
        this, "response_latency", {4}, {{1}, {1000}}, "cycles from an L2 slice to a processor", "design"};
    Parameter<Cycles> memory_latency{
        this, "memory_latency", {7}, {{1}, {1000}}, "cycles between an L2 slice and a DRAM channel", "design"};
    Parameter<Cycles> pipeline_latency{
        this,
        "pipeline_latency",
        {11},
        {{1}, {1000}},
        "cycles between neighbours in the graphics pipeline (geometry, raster, cores, colour)",
        "design"};
    Parameter<Cycles> hop{this,
                          "hop",
                          {2},
                          {{1}, {1000}},
                          "cycles from a decision to the departure of what is told to a neighbour in the pipeline",
                          "design: a queue is written and read"};
    Parameter<Cycles> credit_patience{
        this,
        "credit_patience",
        {8},
        {{0}, {1000}},
        "cycles for which freed entries of a queue are collected before their credits go back together",
        "design"};
    Parameter<Bytes> link_width{this,
                                "link_width",
                                {64},
                                {{1}, {64}},
                                "bytes of data a port injects per cycle; a message takes at least one cycle",
                                "design"};
};

// How many cores there are in a cluster, and what they share.
struct ClusterParameters : ParameterGroup {
    using ParameterGroup::ParameterGroup;
    Parameter<int> cores{this,
                         "cores",
                         1,
                         {1, 16},
                         "fragment processors in a cluster, which share a texture unit and its cache",
                         "paper 004: every fragment processor has its own"};
};

struct MachineParameters : ParameterGroup {
    MachineParameters();
    GpuParameters gpu;
    RenderingParameters rendering;
    GeometryParameters geometry;
    ShaderCoreParameters vertex_processor;
    CacheParameters vertex_cache;
    TilingParameters tiling;
    CacheParameters tile_cache;
    RasterParameters raster;
    CacheParameters depth_cache;
    ClusterParameters cluster;
    ShaderCoreParameters fragment_processor;
    TextureUnitParameters texture_unit;
    CacheParameters texture_cache;
    CacheParameters instruction_cache;
    ColourParameters colour;
    CacheParameters pixel_cache;
    L2Parameters l2;
    DramParameters dram;
    NetworkParameters network;
    void check() const override;

    Clocks clocks() const { return {gpu.frequency(), dram.frequency()}; }
    bool is_immediate() const { return rendering.mode() == Rendering::immediate; }
    bool has_unified_cores() const { return vertex_processor.count() == 0; }
    // Those that are not as by default, though nothing of this machine looks at them: a line each that says why.
    std::vector<std::string> without_effect() const;
    // As many as it has threads, up to 16; a quad has four.
    int vertices_per_warp() const;
};

}  // namespace models
