#include "models/workload/pass_order.h"

#include <algorithm>
#include <utility>

#include "models/workload/surface_blocks.h"

namespace models {

void PassOrder::load(const Frame& frame, const std::vector<DecodedProgram>& programs, const ForEach& for_each) {
    written_.clear();
    stores_depths_.clear();
    targets_.clear();
    for (const Pass& pass : frame.passes) note_targets(pass);
    note_reads(frame, programs, for_each);
    find_waits();
}

void PassOrder::store_for(std::uint32_t pass, std::uint32_t later) {
    Ranges& stored = written_[pass];
    stored.erase(stored.begin(), stored.end() - stores_depths_[pass]);
    stored.insert(stored.begin(), written_[later].begin(), written_[later].end());
    for (std::vector<Ranges>* touched : {&written_, &read_, &read_by_vertices_}) (*touched)[later].clear();
    find_waits();
}

void PassOrder::find_waits() {
    stored_before_.clear();
    stored_before_vertices_.clear();
    for (std::uint32_t pass = 0; pass < written_.size(); ++pass) {
        std::uint32_t stored = 0, stored_for_vertices = 0;
        for (std::uint32_t before = 0; before < pass; ++before) {
            const bool waits = meet(read_[pass], written_[before]) || meet(written_[pass], written_[before]) ||
                               meet(written_[pass], read_[before]) || meet(written_[pass], read_by_vertices_[before]);
            if (waits) stored = before + 1;
            if (meet(read_by_vertices_[pass], written_[before])) stored_for_vertices = before + 1;
        }
        stored_before_.push_back(std::max(stored, stored_for_vertices));
        stored_before_vertices_.push_back(stored_for_vertices);
    }
    awaited_.assign(written_.size(), 0);
    for (const std::vector<std::uint32_t>* waits : {&stored_before_, &stored_before_vertices_})
        for (const std::uint32_t passes : *waits)
            if (passes > 0) awaited_[passes - 1] = 1;
}

bool PassOrder::reads(std::uint32_t pass, const Surface& surface) const {
    const Ranges own{range_of(surface)};
    return meet(read_[pass], own) || meet(read_by_vertices_[pass], own);
}

bool PassOrder::reads_only(std::uint32_t pass, const Surface& surface) const {
    const Range own = range_of(surface);
    const auto is_own = [&](const Range& range) { return range.meets(own) || meet(written_[pass], {range}); };
    return meet(read_[pass], {own}) && std::all_of(read_[pass].begin(), read_[pass].end(), is_own) &&
           read_by_vertices_[pass].empty();
}

bool PassOrder::written_by(std::uint32_t pass, BlockNumber block) const {
    const Ranges& ranges = written_[pass];
    return std::any_of(ranges.begin(), ranges.end(), [&](const Range& range) { return range.holds(block); });
}

PassOrder::Range PassOrder::range_of(const Surface& surface) {
    const SurfaceBlocks blocks(surface);
    return {blocks.first(), blocks.count()};
}

bool PassOrder::meet(const Ranges& a, const Ranges& b) {
    return std::any_of(a.begin(), a.end(), [&](const Range& one) {
        return std::any_of(b.begin(), b.end(), [&](const Range& other) { return one.meets(other); });
    });
}

void PassOrder::note_targets(const Pass& pass) {
    Ranges& ranges = written_.emplace_back();
    const auto note = [&](const Surface& surface) {
        if (const Range range = range_of(surface); range.count > 0) ranges.push_back(range);
    };
    if (pass.colour_store) std::for_each(pass.colour.begin(), pass.colour.end(), note);
    const std::size_t colours = ranges.size();
    if (pass.depth_store) note(pass.depth);
    stores_depths_.push_back(ranges.size() > colours ? 1 : 0);
    for (const Range& range : ranges) {
        const bool known = std::any_of(targets_.begin(), targets_.end(), [&](const Range& target) {
            return target.first == range.first && target.count == range.count;
        });
        if (!known) targets_.push_back(range);
    }
}

void PassOrder::note_reads(const Frame& frame, const std::vector<DecodedProgram>& programs, const ForEach& for_each) {
    read_.assign(frame.passes.size(), {});
    read_by_vertices_.assign(frame.passes.size(), {});
    for (std::size_t p = 0; p < frame.passes.size(); ++p) {
        const Pass& pass = frame.passes[p];
        if (pass.colour_load)
            for (const Surface& surface : pass.colour) read_[p].push_back(range_of(surface));
        if (pass.depth_load) read_[p].push_back(range_of(pass.depth));
        const Bands bands(std::size_t{pass.tiles_x} * pass.tiles_y, Bands::tiles);
        std::vector<Ranges> read_in(static_cast<std::size_t>(bands.count()));
        for_each(bands.count(), [&](int band) {
            Ranges reads;
            for (std::size_t t = bands.first(band); t < bands.end(band); ++t)
                read_by_quads(frame, programs, frame.tiles[pass.first_tile + t], reads);
            read_in[static_cast<std::size_t>(band)] = std::move(reads);
        });
        for (const Ranges& reads : read_in)
            for (const Range& range : reads) add(range, read_[p]);
        for (std::uint32_t d = pass.first_draw; d < pass.first_draw + pass.draw_count; ++d) {
            const Draw& draw = frame.draws[d];
            if (draw.kind != DrawKind::geometry) continue;
            const DecodedProgram& program = programs[draw.vertex_program];
            for (std::uint32_t v = draw.first_vertex; v < draw.first_vertex + draw.vertex_count; ++v) {
                const Vertex& vertex = frame.vertices[v];
                read(frame.vertex_blocks, frame.vertex_accesses.data() + vertex.first_access,
                     program.textures[vertex.path], read_by_vertices_[p]);
            }
        }
    }
}

void PassOrder::read_by_quads(const Frame& frame, const std::vector<DecodedProgram>& programs, const Tile& tile,
                              Ranges& reads) const {
    for (std::uint32_t q = tile.first_quad; q < tile.first_quad + tile.quad_count; ++q) {
        const Quad& quad = frame.quads[q];
        if (quad.early_pass == 0) continue;
        const DecodedProgram& program = programs[frame.draws[frame.primitives[quad.primitive].draw].fragment_program];
        read(frame.blocks, frame.accesses.data() + quad.first_access, program.textures[quad.path], reads);
    }
}

// Adds the targets that these accesses read from.
void PassOrder::read(const std::vector<BlockNumber>& blocks, const TextureAccess* accesses, std::uint32_t count,
                     Ranges& reads) const {
    for (std::uint32_t a = 0; a < count; ++a) {
        for (std::uint32_t b = 0; b < accesses[a].block_count; ++b) {
            const BlockNumber block = blocks[accesses[a].first_block + b];
            for (const Range& target : targets_)
                if (target.holds(block)) add(target, reads);
        }
    }
}

void PassOrder::add(const Range& range, Ranges& ranges) {
    const auto is_it = [&](const Range& other) { return other.first == range.first; };
    if (std::none_of(ranges.begin(), ranges.end(), is_it)) ranges.push_back(range);
}

}  // namespace models
