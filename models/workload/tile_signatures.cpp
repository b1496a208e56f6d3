#include "models/workload/tile_signatures.h"

#include "models/workload/surface_blocks.h"

namespace models {

void TileSignatures::load(const Frame& frame, const Resolves& resolves) {
    if (!enabled_) return;
    unchanged_.assign(frame.tiles.size(), 0);
    std::uint32_t drawn = 0;  // draws of the passes before
    for (std::uint32_t p = 0; p < frame.passes.size(); ++p) {
        const Pass& pass = frame.passes[p];
        const std::uint32_t end = pass.first_draw + pass.draw_count;
        forget_uploaded(frame, drawn, end);
        if (!resolves.is_resolved(p)) {
            const Pass& stores = resolves.resolving(p) == none ? pass : frame.passes[resolves.resolving(p)];
            if (pass.depth_store) forget(range_of(pass.depth));
            if (stores.colour_store) store(frame, stores, pass.first_tile);
        }
        forget_uploaded(frame, pass.first_draw + 1, end);  // while it was drawn
        drawn = end;
    }
    forget_uploaded(frame, drawn, none);
}

TileSignatures::Range TileSignatures::range_of(const Surface& surface) {
    return {surface.address, surface.address + Address{SurfaceBlocks(surface).count()} * block_bytes};
}

// What the driver writes when so many draws of the frame are done.
void TileSignatures::forget_uploaded(const Frame& frame, std::uint32_t first, std::uint32_t end) {
    for (const Upload& upload : frame.uploads)
        if (first <= upload.before_draw && upload.before_draw < end)
            forget({upload.address, upload.address + upload.bytes});
}

// All surfaces that hold some of these bytes, but for one.
void TileSignatures::forget(const Range& range, const Surface* kept) {
    if (range.begin == range.end) return;
    std::erase_if(stored_, [&](const auto& entry) {
        const Surface& surface = entry.second.surface;
        const Range own = range_of(surface);
        return range.begin < own.end && own.begin < range.end && (kept == nullptr || !(surface == *kept));
    });
}

// The pass stores its tiles; those that are known already are noted from `first` on.
void TileSignatures::store(const Frame& frame, const Pass& pass, std::uint32_t first) {
    const auto targets = static_cast<std::uint32_t>(pass.colour.size());
    const std::uint32_t tiles = pass.tiles_x * pass.tiles_y;
    std::vector<std::uint32_t> same(tiles, 0);  // targets
    std::uint32_t present = 0;
    for (std::uint32_t target = 0; target < targets; ++target) {
        const Surface& surface = pass.colour[target];
        if (surface.bytes_per_texel == 0) continue;
        ++present;
        forget(range_of(surface), &surface);
        Stored& stored = stored_[surface.address];
        if (stored.tiles_x != pass.tiles_x || stored.tiles_y != pass.tiles_y)
            stored = {surface, pass.tiles_x, pass.tiles_y, std::vector<std::uint64_t>(tiles)};
        for (std::uint32_t tile = 0; tile < tiles; ++tile) {
            const std::uint64_t hash = frame.colour_hashes[pass.first_hash + tile * targets + target];
            if (hash != 0 && stored.hashes[tile] == hash) ++same[tile];
            stored.hashes[tile] = hash;
        }
    }
    for (std::uint32_t tile = 0; tile < tiles; ++tile)
        unchanged_[first + tile] = present > 0 && same[tile] == present ? 1 : 0;
}

}  // namespace models
