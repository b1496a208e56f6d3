// What holds of a cluster at the end of every frame.
#include "models/base/laws.h"
#include "models/base/unfinished.h"
#include "models/processes/cluster.h"

namespace models {

std::string Cluster::unfinished() const {
    Unfinished work;
    for (const auto& core : cores_) {
        work.add_if(!core->queue.empty(), std::to_string(core->queue.size()) + " warps queued");
        work.add_if(!core->core.is_empty(), "warps resident");
        work.add_if(!core->exports.is_empty(), "finished warps wait");
    }
    work.add_if(vertex_input_ && !vertex_input_->is_empty(), "warps of vertices wait");
    if (tile_renderer_) work.add(tile_renderer_->unfinished());
    if (pixel_stage_) work.add(pixel_stage_->unfinished());
    if (home_) work.add(home_->unfinished());
    work.add_if(snoop_port_ && !snoop_port_->is_empty(), "blocks to be fetched ahead");
    work.add_if(snoop_port_ && !snoop_port_->awaits_no_line(), "lines that other clusters wait for");
    work.add_if(memory.in_flight() > 0, std::to_string(memory.in_flight()) + " lines awaited");
    return work.text();
}

void Cluster::add_laws(Laws& laws) const {
    Sum misses, fetched;
    for (const auto& cache : instruction_caches_) {
        cache->add_laws(laws, name() + "'s instruction cache");
        misses.add(cache->misses);
        misses.add(cache->prefetches);
    }
    constant_cache_.add_laws(laws, name() + "'s constant cache");
    misses.add(constant_cache_.misses);
    misses.add(constant_cache_.prefetches);
    for (const auto* cache : {texture_cache_.get(), vertex_cache_.get()}) {
        if (cache == nullptr) continue;
        cache->add_laws(laws, name() + (cache == texture_cache_.get() ? "'s texture cache" : "'s vertex cache"));
        misses.add(cache->misses);
        misses.add(cache->prefetches);
    }
    fetched.add(memory.reads);
    if (tile_renderer_) {
        tile_renderer_->add_laws(laws, name());
        const TiledFrontEnd& front_end = tile_renderer_->front_end();
        misses.add(front_end.cache().misses);
        misses.add(front_end.cache().prefetches);
        misses.add(front_end.depth_lines_loaded);
        misses.add(tile_renderer_->stage().lines_loaded);
        Sum written;
        written.add(memory.writes);
        laws.equal(name() + ": lines written = lines of finished tiles", written,
                   {tile_renderer_->stage().lines_stored});
    }
    if (pixel_stage_) {
        pixel_stage_->add_laws(laws, name() + "'s colour stage");
        misses.add(pixel_stage_->cache().misses);
        misses.add(pixel_stage_->cache().prefetches);
        Sum written;
        written.add(memory.writes);
        laws.equal(name() + ": lines written = write-backs of the pixel cache", written,
                   {pixel_stage_->cache().written_back, pixel_stage_->cache().passed_on,
                    pixel_stage_->cache().written_through});
    }
    if (home_) {  // lines that come from other cores, and those requested for them
        home_->add_laws(laws, name());
        fetched.add(home_->misses_to_cores);
        fetched.add(home_->misses_to_table);
        misses.add(home_->served_misses);
        misses.add(home_->owned_misses);
        laws.equal(
            name() + ": texture misses = those that went to the L2 cache, to cores, table and directory",
            {texture_cache_->misses},
            {home_->misses_to_memory, home_->misses_to_cores, home_->misses_to_table, home_->misses_to_directory});
    }
    if (snoop_port_) {
        snoop_port_->add_laws(laws, name() + "'s snoop port");
        fetched.add(snoop_port_->redirected);
    }
    laws.equal(name() + ": lines requested = misses of its caches, old depths and colours", fetched, misses);
    Sum answered{memory.replies}, requested;
    requested.add(memory.reads);
    requested.add(memory.writes);
    if (snoop_port_) requested.add(snoop_port_->redirected);
    laws.equal(name() + ": requests to the L2 cache and to other caches = answers", requested, answered);
    for (std::size_t i = 0; i < cores_.size(); ++i) {
        laws.equal(name() + ": quads received = quads handed on", {cores_[i]->quads_in}, {cores_[i]->quads_out});
        cores_[i]->core.add_laws(laws, name() + "'s core " + std::to_string(i));
    }
    texture_unit_.time.add_laws(laws, name() + "'s texture unit");
    if (constant_cache_.access_bytes() >= block_bytes) {
        Sum constants;
        for (const auto& core : cores_) constants.add(core->constants.lines);
        laws.equal(name() + ": lines of constants looked up = accesses of their cache", constants,
                   {constant_cache_.accesses});
    }
    // A block is one access of a cache, or two if its lines are short.
    if (texture_cache().access_bytes() >= block_bytes) {
        Sum looked_up{texture_unit_.blocks_read};
        if (vertex_input_ && !texture_cache_) looked_up.add(vertex_input_->attribute_lines);
        laws.equal(name() + ": blocks looked up for textures = accesses of their cache", looked_up,
                   {texture_cache().accesses});
    }
    if (vertex_input_ && texture_cache_ && vertex_cache_->access_bytes() >= block_bytes)
        laws.equal(name() + ": lines of attributes looked up = accesses of their cache",
                   {vertex_input_->attribute_lines}, {vertex_cache_->accesses});
}

}  // namespace models
