#include "models/workload/tile_signatures.h"

#include "models/workload/surface_blocks.h"

namespace models {

void TileSignatures::load(const Frame& frame, const Resolves& resolves) {
    if (!enabled_) return;
    forget_uploaded(frame);
    unchanged_.assign(frame.tiles.size(), 0);
    for (std::uint32_t p = 0; p < frame.passes.size(); ++p) {
        if (resolves.is_resolved(p)) continue;
        const Pass& pass = frame.passes[p];
        const Pass& stores = resolves.resolving(p) == none ? pass : frame.passes[resolves.resolving(p)];
        if (!stores.colour_store) continue;
        const auto targets = static_cast<std::uint32_t>(stores.colour.size());
        for (std::uint32_t tile = 0; tile < pass.tiles_x * pass.tiles_y; ++tile) {
            bool same = targets > 0;
            for (std::uint32_t i = 0; i < targets; ++i)
                same &= store(stores.colour[i], stores, tile,
                              frame.colour_hashes[stores.first_hash + tile * targets + i]);
            unchanged_[pass.first_tile + tile] = same ? 1 : 0;
        }
    }
    forget_uploaded(frame);  // one that came after the pass
}

void TileSignatures::forget_uploaded(const Frame& frame) {
    std::erase_if(stored_, [&](const auto& entry) {
        const Address begin = entry.first;
        const Address end = begin + Address{SurfaceBlocks(entry.second.surface).count()} * block_bytes;
        for (const Upload& upload : frame.uploads)
            if (upload.address < end && upload.address + upload.bytes > begin) return true;
        return false;
    });
}

// True if the hash was there before.
bool TileSignatures::store(const Surface& surface, const Pass& pass, std::uint32_t tile, std::uint64_t hash) {
    if (surface.bytes_per_texel == 0) return true;
    Stored& stored = stored_[surface.address];
    if (!(stored.surface == surface) || stored.tiles_x != pass.tiles_x || stored.tiles_y != pass.tiles_y)
        stored = {surface, pass.tiles_x, pass.tiles_y,
                  std::vector<std::uint64_t>(std::size_t{pass.tiles_x} * pass.tiles_y)};
    const bool same = stored.hashes[tile] == hash && hash != 0;
    stored.hashes[tile] = hash;
    return same;
}

}  // namespace models
