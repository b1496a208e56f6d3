// What a pass leaves in the frame trace when it ends: the quads, accesses and paths of its tiles, in their order, and
// the hashes of their colours.
#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

#include "engine/error.h"
#include "models/functional/pass_renderer.h"
#include "models/functional/tile_hash.h"

namespace models::functional {

namespace {

template <class T>
void resize(std::vector<T>& list, std::size_t size, MemoryMeter& memory) {
    memory.make_room(list, size - list.size());
    list.resize(size);
}

}  // namespace

void PassRenderer::append_quads() {
    pass_.first_tile = static_cast<std::uint32_t>(frame_->tiles.size());
    memory_->make_room(frame_->tiles, bins_.size());
    // Where each tile's quads, accesses and blocks go; then the tiles move there in parallel.
    std::vector<TilePlace> places(bins_.size());
    std::size_t quads = frame_->quads.size(), accesses = frame_->accesses.size(), blocks = frame_->blocks.size();
    std::size_t constants = frame_->constant_accesses.size(), indices = frame_->constant_indices.size();
    for (std::size_t i = 0; i < places.size(); ++i) {
        const TileTrace& tile = traces_[i];
        places[i] = {quads, accesses, blocks, constants, indices, {}};
        for (const TileTrace::Paths& list : tile.paths) {
            std::vector<std::uint16_t>& numbers = places[i].paths.emplace_back();
            for (const Path& path : list.table.paths()) numbers.push_back(library_->intern({list.program, path}));
        }
        frame_->tiles.push_back(
            {static_cast<std::uint32_t>(quads), static_cast<std::uint32_t>(tile.quads.size()), tile.inputs.value()});
        quads += tile.quads.size();
        accesses += tile.accesses.size();
        blocks += tile.blocks.size();
        constants += tile.constant_accesses.size();
        indices += tile.constant_indices.size();
    }
    if (std::max({quads, accesses, blocks, constants, indices}) > std::numeric_limits<std::uint32_t>::max()) {
        throw engine::InputError(
            "a frame of more than 4294967295 quads, texture accesses, blocks or indirect constants is not supported");
    }
    memory_->set(MemoryMeter::Use::paths, library_->path_bytes());
    resize(frame_->quads, quads, *memory_);
    resize(frame_->accesses, accesses, *memory_);
    resize(frame_->blocks, blocks, *memory_);
    resize(frame_->constant_accesses, constants, *memory_);
    resize(frame_->constant_indices, indices, *memory_);
    for_each_band(*workers_, static_cast<std::uint32_t>(places.size()), [&](std::uint32_t first, std::uint32_t end) {
        for (std::uint32_t i = first; i < end; ++i) move_quads(traces_[i], places[i]);
    });
    forget_paths();
}

void PassRenderer::append_hashes() {
    const auto& colour = targets_.framebuffer.colour;
    pass_.first_hash = static_cast<std::uint32_t>(frame_->colour_hashes.size());
    const std::size_t hashes = pass_.first_hash + bins_.size() * colour.size();
    if (hashes > std::numeric_limits<std::uint32_t>::max())
        throw engine::InputError("a frame of more than 4294967295 tiles is not supported");
    resize(frame_->colour_hashes, hashes, *memory_);
    for_each_band(*workers_, tiles_y_, [&](std::uint32_t first, std::uint32_t end) {
        std::uint64_t* next = &frame_->colour_hashes[pass_.first_hash] + std::size_t{first} * tiles_x_ * colour.size();
        for (std::uint32_t y = first; y < end; ++y) {
            for (std::uint32_t x = 0; x < tiles_x_; ++x)
                for (const auto& surface : colour)
                    *next++ = surface ? hash_of_tile(view_of(*surface), targets_.width, targets_.height, x, y) : 0;
        }
    });
}

void PassRenderer::forget_paths() {
    std::uint64_t bytes = 0;
    for (TileTrace& tile : traces_) {
        bytes += std::exchange(tile.path_bytes, 0);
        tile.paths.clear();
    }
    memory_->set(MemoryMeter::Use::tiles, memory_->taken(MemoryMeter::Use::tiles) - bytes);
}

// Keeps the tile's memory for the next pass.
void PassRenderer::move_quads(TileTrace& tile, const TilePlace& place) {
    const auto list_of = [&](std::uint32_t program) {
        std::size_t list = 0;
        while (tile.paths[list].program != program) {
            ++list;
            assert(list < tile.paths.size());
        }
        return list;
    };
    for (std::size_t q = 0; q < tile.quads.size(); ++q) {
        Quad& quad = frame_->quads[place.quad + q];
        quad = tile.quads[q];
        const std::uint32_t program = frame_->draws[frame_->primitives[quad.primitive].draw].fragment_program;
        const bool has_path = quad.early_pass != 0 && library_->branches(program);
        quad.path = has_path ? place.paths[list_of(program)][quad.path] : std::uint16_t{0};
        quad.first_access += static_cast<std::uint32_t>(place.access);
        quad.first_constant_access += static_cast<std::uint32_t>(place.constant_access);
    }
    for (std::size_t a = 0; a < tile.accesses.size(); ++a) {
        TextureAccess& access = frame_->accesses[place.access + a];
        access = tile.accesses[a];
        access.first_block += static_cast<std::uint32_t>(place.block);
    }
    for (std::size_t c = 0; c < tile.constant_accesses.size(); ++c) {
        ConstantAccess& access = frame_->constant_accesses[place.constant_access + c];
        access = tile.constant_accesses[c];
        access.first_index += static_cast<std::uint32_t>(place.constant_index);
    }
    std::copy(tile.constant_indices.begin(), tile.constant_indices.end(),
              frame_->constant_indices.begin() + static_cast<std::ptrdiff_t>(place.constant_index));
    std::copy(tile.blocks.begin(), tile.blocks.end(),
              frame_->blocks.begin() + static_cast<std::ptrdiff_t>(place.block));
    tile.quads.clear();
    tile.accesses.clear();
    tile.blocks.clear();
    tile.constant_accesses.clear();
    tile.constant_indices.clear();
}

}  // namespace models::functional
