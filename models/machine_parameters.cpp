#include "models/machine_parameters.h"

#include <algorithm>
#include <initializer_list>
#include <string>

#include "models/base/without_effect.h"
#include "models/network/interconnect.h"
#include "models/pipeline/dispatch.h"
#include "models/structures/credit_return.h"

namespace models {

MachineParameters::MachineParameters()
    : gpu(this, "gpu", "what concerns the whole GPU"),
      rendering(this, "rendering", "the way in which frames are rendered"),
      geometry(this, "geometry", "command processor, vertex fetcher, primitive assembly"),
      vertex_processor(this, "vertex_processor", "in-order processor of vertex programs",
                       {4, 0, 256, 4, 4, "processors; 0: vertex programs run on the fragment processors",
                        "vertices of a warp", "paper 004, Table I", "design: as many threads as a quad has"}),
      vertex_cache(this, "vertex_cache", "private cache of a vertex processor: attributes and vertex textures",
                   {{4 << 10}, 2, {1}, 8, "paper 004, Table I"}, &prefetch),
      tiling(this, "tiling", "polygon-list builder, parameter buffer and tile fetcher"),
      tile_cache(this, "tile_cache", "cache of the tile fetcher", {{32 << 10}, 2, {2}, 16, "paper 004, Table I"},
                 &prefetch),
      raster(this, "raster", "rasteriser, early depth test, hand-out of quads"),
      depth_cache(this, "depth_cache", "cache of depths and stencils in immediate rendering",
                  {{16 << 10}, 4, {2}, 16, "design: as the texture cache; paper 000 has 2 KB"}, &prefetch),
      cluster(this, "cluster", "cores that share a texture unit"),
      fragment_processor(this, "fragment_processor", "in-order processor of fragment programs",
                         {32, 1, 256, 8, 1, "processors", "quads of a warp", "paper 004, Table I",
                          "ARM Mali G71 and G72 (Bifrost): warps of four threads"}),
      texture_unit(this, "texture_unit", "texture unit of a cluster, or of a vertex processor"),
      texture_cache(this, "texture_cache", "texture cache of a cluster", texture_cache_defaults, &prefetch),
      instruction_cache(this, "instruction_cache",
                        "private instruction cache of a processor; an instruction is 16 bytes",
                        {{8 << 10}, 4, {1}, 4, "design"}, &prefetch),
      constant_cache(this, "constant_cache", "cache of constants (uniforms) of a cluster",
                     {{4 << 10}, 4, {1}, 8, "design"}, &prefetch),
      colour(this, "colour", "blending, tile buffers and their way to memory"),
      pixel_cache(this, "pixel_cache", "cache of colours of a cluster in immediate rendering",
                  {{16 << 10}, 4, {2}, 16, "design: as the texture cache; paper 000 has 2 KB"}, &prefetch),
      home(this, "home", "where a block is looked for that misses in a texture cache: whether these caches are one"),
      l2(this, "l2", "second-level cache, shared by all", &prefetch),
      prefetch(this, "prefetch"),
      access_execute(this, "access_execute", "what quads will access is fetched while they wait for their core"),
      dram(this, "dram", "main memory"),
      network(this, "network", "network on chip"),
      bus(this, "bus", "shared bus between the processors and the L2 slices, if network.kind is that"),
      mesh(
          this, "mesh",
          "mesh between the processors and the L2 slices, if network.kind is that, and between texture caches that are "
          "one"),
      address_space(this, "address_space", "where pages of memory lie, and how that is known"),
      tlb(this, "tlb", "translations that a port to memory keeps, if address_space.translation is \"tlb\""),
      mmu(this, "mmu", "memory management unit: the TLB that all share, and page walks; with tlb"),
      observe(this, "observe", "what is observed besides counters; without an effect on what is simulated") {}

int MachineParameters::vertices_per_warp() const {
    constexpr int threads_of_quad = 4, most = 16;
    return has_unified_cores() ? std::min(most, threads_of_quad * fragment_processor.groups_per_warp())
                               : vertex_processor.groups_per_warp();
}

// Entries of the longest of the queues whose credits are collected. Those of fragments and colours are shared out among
// cores; in immediate rendering those of colours are collected by cluster, and with a tile in every core not at all.
int MachineParameters::longest_returned_queue() const {
    const auto of_core = [&](int entries) { return share_of(entries, fragment_processor.count(), 0); };
    const int longest =
        std::max(of_core(raster.fragment_queue()), access_execute.enabled() ? access_execute.queue() : 0);
    if (rendering.organisation() == Organisation::tile_per_core) return longest;
    if (!is_immediate()) return std::max(longest, of_core(colour.queue()));
    int of_cluster = 0;
    for (int i = 0; i < cluster.cores(); ++i) of_cluster += share_of(colour.queue(), fragment_processor.count(), i);
    return std::max({longest, tiling.triangle_queue(), of_cluster});
}

void MachineParameters::check() const {
    check_clocks(gpu.frequency(), dram.clock(),
                 dram.model() == DramModel::flat ? "dram.flat.frequency" : "dram.device");
    const auto at_least = [](const char* name, int found, int least, const std::string& why) {
        require(found >= least, std::string(name) + ": expected at least " + std::to_string(least) + ", " + why +
                                    ", found " + std::to_string(found));
    };
    const int processors = fragment_processor.count();
    require(!is_immediate() || raster.distribution() == DistributionPolicy::position,
            "raster.distribution: expected \"position\" with rendering.mode = \"immediate\", as a place on the screen "
            "has to be blended by one core, found \"" +
                raster.distribution.value_text() + "\"");
    require(!is_immediate() || rendering.organisation() == Organisation::raster_per_gpu,
            "rendering.organisation: expected \"raster_per_gpu\" with rendering.mode = \"immediate\", which has no "
            "tiles, found \"tile_per_core\"");
    require(
        !access_execute.enabled() || !home.applies(texture_caches()),
        "home.policy: expected \"private\" with access_execute.enabled, as lines of other cores' caches are not put in "
        "a core's own, found \"" +
            home.policy.value_text() + "\"");
    require(!access_execute.enabled() || rendering.organisation() == Organisation::raster_per_gpu,
            "rendering.organisation: expected \"raster_per_gpu\" with access_execute.enabled, whose queue is that of "
            "the one raster, found \"tile_per_core\"");
    for (const CacheParameters* cache : {&texture_cache, &pixel_cache})
        require(!has_remote_l1() || cache->line() == block_bytes || (cache == &pixel_cache && !is_immediate()),
                cache->name() +
                    ".line: expected 64 B with access_execute.remote_l1, as lines go from cache to cache, found " +
                    cache->line.value_text());
    require(processors % cluster.cores() == 0, "fragment_processor.count: expected a multiple of cluster.cores (" +
                                                   std::to_string(cluster.cores()) + "), found " +
                                                   std::to_string(processors));
    at_least("raster.fragment_queue", raster.fragment_queue(), processors * fragment_processor.groups_per_warp(),
             "a warp for each fragment processor");
    at_least("colour.queue", colour.queue(), processors, "an entry for each fragment processor");
    if (dram.model() == DramModel::timed)
        require(dram.size.count() <= dram.bytes(),
                "dram.size: expected at most the " + std::to_string(dram.bytes() >> 20) + " MiB of " +
                    std::to_string(dram.channels()) + " channels of " + dram.device.value_text() + ", found " +
                    std::to_string(dram.size.count() >> 20) + " MiB");
    else
        at_least("dram.flat.queue", dram.flat.queue(), 2 * l2.slices(), "a read and a write-back for each L2 slice");
    // Both halves of a block that they miss are asked for together.
    for (const CacheParameters* cache : caches())
        if (cache->line() < block_bytes)
            at_least("l2.requests_per_port", l2.requests_per_port(), 2,
                     "the lines of a block of " + cache->name() + ", whose lines are of " + cache->line.value_text());
    for (const CacheParameters* cache : caches())
        require(cache->line() <= l2.line(), cache->name() + ".line: expected at most l2.line (" + l2.line.value_text() +
                                                "), found " + cache->line.value_text());
    require(address_space.is_contiguous() || dram.size.count() % page_bytes == 0,
            "dram.size: expected whole pages of 4 KiB with address_space.placement = \"random\", found " +
                dram.size.value_text());
    if (dram.model() == DramModel::flat)
        require(dram.flat.row.count() % l2.line() == 0, "dram.flat.row: expected a multiple of l2.line (" +
                                                            l2.line.value_text() + "), found " +
                                                            dram.flat.row.value_text());
    require(dram.interleave.count() % l2.line() == 0, "dram.interleave: expected a multiple of l2.line (" +
                                                          l2.line.value_text() + "), found " +
                                                          dram.interleave.value_text());
    if (home.applies(texture_caches()))
        home.check_site({texture_caches(), texture_cache.mshrs(), texture_cache.line(),
                         std::min(texture_cache.line(), texture_cache.sector()), l2.slices(),
                         texture_cache.prefetcher() != 0, texture_cache.perfect(), address_space.is_contiguous()});
    const int vertices = vertices_per_warp();
    at_least("geometry.vertex_queue", geometry.vertex_queue(), vertices, "the vertices of a warp");
    const int rest = geometry.vertex_queue() % vertices, below = geometry.vertex_queue() - rest;
    require(rest == 0, "geometry.vertex_queue: expected a multiple of the vertices of a warp (" +
                           std::to_string(vertices) + "), found " + std::to_string(geometry.vertex_queue()) +
                           "; the nearest are " + std::to_string(below) + " and " + std::to_string(below + vertices));
    at_least("texture_unit.accesses", texture_unit.accesses(), std::max(vertices, fragment_processor.groups_per_warp()),
             "those of one warp");
    const int most_cores = std::max(processors, vertex_processor.count());
    require(observe.pipeline_cores() <= most_cores,
            "observe.pipeline_cores: expected at most the " + std::to_string(most_cores) +
                " cores that there are of a kind, found " + observe.pipeline_cores.value_text());
    require(dram.size.count() >= 4 * tiling.parameter_buffer.count(),
            "tiling.parameter_buffer: expected at most a quarter of dram.size, found " +
                std::to_string(tiling.parameter_buffer.count()) + " B");
}

std::vector<std::string> MachineParameters::without_effect() const {
    WithoutEffect found;
    const std::string mode = "rendering.mode is " + rendering.mode.value_text();
    if (is_immediate()) {
        found.add(tiling, mode, {}, {&tiling.triangle_queue});
        found.add(tile_cache, mode, {});
        found.add(colour, mode,
                  {&colour.late_depth, &colour.tile_buffers, &colour.flush, &colour.transaction_elimination,
                   &colour.resolve});
    } else {
        found.add(depth_cache, mode, {});
        found.add(pixel_cache, mode, {});
    }
    if (is_immediate()) found.add(geometry, mode, {&geometry.triangle_queue});
    if (geometry.command_bytes.count() == 0)
        found.add(geometry, "geometry.command_bytes is 0: commands are not read", {&geometry.command_lines});
    if (rendering.mode() != Rendering::tiled_hidden_surface_removal)
        found.add(raster, mode, {&raster.hidden_surface_quads_per_cycle});
    if (fragment_processor.groups_per_warp() == 1)
        found.add(raster, "fragment_processor.groups_per_warp is 1: every warp is full", {&raster.warp_timeout});
    if (rendering.organisation() == Organisation::tile_per_core && cluster.cores() == 1)
        found.add(raster, "a core shades the tiles that it rasterises", {&raster.distribution});
    const std::string kind = "network.kind is " + network.kind.value_text();
    if (network.kind.value_text() != Bus::name) found.add(bus, kind, {});
    if (longest_returned_queue() < CreditReturn::least_collected)
        found.add(network,
                  "no core has " + std::to_string(CreditReturn::least_collected) +
                      " entries of raster.fragment_queue or of colour.queue, so each goes back at once",
                  {&network.credit_patience});
    home.add_without_effect(found, texture_caches());
    if (network.kind.value_text() != Mesh::name && !home.applies(texture_caches())) found.add(mesh, kind, {});
    if (network.kind.value_text() != Mesh::name && home.applies(texture_caches()) && !home.needs().directory)
        found.add(mesh, "only slices of the L2 cache are placed, and they are on a " + network.kind.value_text(),
                  {&mesh.placement});
    if (!address_space.placement())
        found.add(address_space, "address_space.placement is contiguous", {&address_space.seed});
    if (!has_tlbs())
        for (const ParameterGroup* group : std::initializer_list<const ParameterGroup*>{&tlb, &mmu})
            found.add(*group, "address_space.translation is free", {});
    if (has_unified_cores())
        found.add_with_groups(vertex_processor, "vertex_processor.count is 0", {&vertex_processor.count});
    else
        vertex_processor.add_without_effect(found);
    fragment_processor.add_without_effect(found);
    std::vector<std::size_t> prefetchers;
    for (const CacheParameters* cache : caches()) {
        prefetchers.push_back(cache->perfect() ? 0 : cache->prefetcher());
        cache->add_without_effect(found);
    }
    for (const CacheParameters* cache :
         {&vertex_cache, &tile_cache, &texture_cache, &instruction_cache, &constant_cache})
        found.add(*cache, "nothing writes to this cache", {&cache->eviction_buffer, &cache->write_policy});
    for (const CacheParameters* cache : {&tile_cache, &depth_cache, &texture_cache, &constant_cache, &pixel_cache})
        if (cache->line() <= block_bytes)
            found.add(*cache, "this cache is asked for blocks of 64 bytes, not for parts of them", {&cache->sector});
    found.add(instruction_cache, "this cache is asked for whole lines", {&instruction_cache.sector});
    prefetch.add_without_effect(found, prefetchers);
    if (!access_execute.enabled())
        found.add(access_execute, "access_execute.enabled is false", {}, {&access_execute.enabled});
    dram.add_without_effect(found);
    if (home.needs().tables == HomeNeeds::Tables::nowhere || !home.applies(texture_caches()))
        found.add(observe, "there is no affinity table (home.policy)", {&observe.owners});
    observe.add_without_effect(found);
    return found.lines();
}

}  // namespace models
