// The parameters of a machine: every number a configuration may change, declared once, beside the part that it belongs
// to. The defaults are the machine `bifrost32` of paper 004, Table I; where the table is silent the source says
// "design" and the doc says why.
//
// Cycles are cycles of the GPU clock unless the doc says otherwise. A cache line is 64 bytes (Table I).
#pragma once

#include <array>

#include "models/base/clocks.h"
#include "models/core/shader_core_parameters.h"
#include "models/core/texture_unit_parameters.h"
#include "models/memory/address_space_parameters.h"
#include "models/memory/cache_parameters.h"
#include "models/memory/dram/dram_parameters.h"
#include "models/memory/home/home_parameters.h"
#include "models/memory/l2_parameters.h"
#include "models/memory/observed.h"
#include "models/network/bus_parameters.h"
#include "models/network/mesh_parameters.h"
#include "models/network/network_parameters.h"
#include "models/pipeline/colour_parameters.h"
#include "models/pipeline/geometry_parameters.h"
#include "models/pipeline/raster_parameters.h"
#include "models/prefetch/access_execute_parameters.h"
#include "models/prefetch/prefetch_parameters.h"
#include "models/workload/tiling_parameters.h"

namespace models {

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
    CacheParameters constant_cache;
    ColourParameters colour;
    CacheParameters pixel_cache;
    HomeParameters home;
    L2Parameters l2;
    PrefetchParameters prefetch;
    AccessExecuteParameters access_execute;
    DramParameters dram;
    NetworkParameters network;
    BusParameters bus;
    MeshParameters mesh;
    AddressSpaceParameters address_space;
    TlbParameters tlb;
    MmuParameters mmu;
    ObserveParameters observe;
    void check() const override;

    std::array<const CacheParameters*, 8> caches() const {
        return {&vertex_cache,      &tile_cache,     &depth_cache, &texture_cache,
                &instruction_cache, &constant_cache, &pixel_cache, &l2};
    }
    Clocks clocks() const { return {gpu.frequency(), dram.clock()}; }
    bool is_immediate() const { return rendering.mode() == Rendering::immediate; }
    bool has_tlbs() const { return address_space.translation() == Translation::tlb; }
    bool has_remote_l1() const { return access_execute.enabled() && access_execute.remote_l1(); }
    bool has_unified_cores() const { return vertex_processor.count() == 0; }
    // Those that are not as by default, though nothing of this machine looks at them: a line each that says why.
    std::vector<std::string> without_effect() const;
    // Of fragment processors: one for each cluster.
    int texture_caches() const { return fragment_processor.count() / cluster.cores(); }
    // As many as it has threads, up to 16; a quad has four.
    int vertices_per_warp() const;

  private:
    int longest_returned_queue() const;
};

}  // namespace models
