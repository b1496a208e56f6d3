// The parameter buffer of a pass: where the polygon-list builder puts each primitive and each tile's list of
// primitives, and so what the tile fetcher reads. A pure function of the frame.
//
// Primitives lie one after the other, in order. A list is a chain of 64-byte chunks; a chunk is taken from the end of
// the buffer's used part when the first entry is written to it. A tile lists every primitive whose bounding box of
// tiles holds it, or every one that has a quad in it (tiling.binning).
#pragma once

#include <cstdint>
#include <vector>

#include "models/frame_trace/frame_trace.h"
#include "models/workload/tiling_parameters.h"

namespace models {

struct PolygonLists {
    std::vector<std::uint32_t> primitives;   // of the pass in order, in Frame::primitives
    std::vector<Address> records;            // of primitives[i]; one more: the end
    std::vector<std::uint32_t> first_tile;   // of primitives[i] in `tiles_of`; one more: the end
    std::vector<std::uint32_t> tiles_of;     // tiles that list a primitive, row by row; by primitive
    std::vector<std::uint32_t> first_entry;  // of tile t in `entries`; one more
    std::vector<std::uint32_t> entries;      // positions in `primitives`, by tile, ascending
    std::vector<std::uint32_t> quads_end;    // of entry e, in Frame::quads: its quads follow those of the one before
    std::vector<std::uint32_t> first_chunk;  // of tile t in `chunks`; one more
    std::vector<BlockNumber> chunks;         // by tile, in the order of the list
    std::vector<std::uint32_t> order;        // tiles to render, in order: those that are drawn to or cleared
    std::uint32_t entries_per_chunk = 16;
    std::uint64_t bytes = 0;  // of the parameter buffer that are used

    // `buffer`: address of the parameter buffer. Throws InputError if it is too small.
    PolygonLists(const Frame& frame, const Pass& pass, const TilingParameters& parameters, Address buffer);

    std::uint32_t tiles() const { return static_cast<std::uint32_t>(first_entry.size() - 1); }

  private:
    void place_records(const Frame& frame, const Pass& pass, const TilingParameters& parameters, Address buffer);
    std::uint64_t list_bytes(const Frame& frame) const;
    void find_tiles(const Frame& frame, const Pass& pass, Binning binning);
    void bin(const Pass& pass);
    void find_quads(const Frame& frame, const Pass& pass);
    void place_chunks();
    void order_tiles(const Frame& frame, const Pass& pass, TileOrder tile_order);
};

}  // namespace models
