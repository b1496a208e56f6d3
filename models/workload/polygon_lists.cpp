#include "models/workload/polygon_lists.h"

#include <algorithm>
#include <cassert>
#include <string>

namespace models {
namespace {

std::uint64_t z_order(std::uint32_t x, std::uint32_t y) {
    std::uint64_t code = 0;
    for (int bit = 0; bit < 16; ++bit)
        code |= (std::uint64_t{x >> bit & 1U} << (2 * bit)) | (std::uint64_t{y >> bit & 1U} << (2 * bit + 1));
    return code;
}

}  // namespace

PolygonLists::PolygonLists(const Frame& frame, const Pass& pass, const TilingParameters& parameters, Address buffer)
    : entries_per_chunk(static_cast<std::uint32_t>(block_bytes / parameters.list_entry.count())) {
    const auto check_room = [&](const char* least, std::uint64_t needed) {
        if (needed > static_cast<std::uint64_t>(parameters.parameter_buffer.count()))
            throw engine::InputError("frame " + std::to_string(frame.number) + ": its primitives take " + least +
                                     std::to_string(needed) + " bytes, the parameter buffer has " +
                                     std::to_string(parameters.parameter_buffer.count()) +
                                     "; set tiling.parameter_buffer to more");
    };
    place_records(frame, pass, parameters, buffer);
    const std::uint64_t least_lists = parameters.binning() == Binning::exact ? 0 : list_bytes(frame);
    check_room("at least ", records.back() - buffer + least_lists);  // before memory is taken for the lists
    find_tiles(frame, pass, parameters.binning());
    bin(pass);
    find_quads(frame, pass);
    place_chunks();
    bytes = (records.back() + block_bytes - 1) / block_bytes * block_bytes + chunks.size() * block_bytes - buffer;
    check_room("", bytes);
    order_tiles(frame, pass, parameters.tile_order());
}

void PolygonLists::place_records(const Frame& frame, const Pass& pass, const TilingParameters& parameters,
                                 Address buffer) {
    Address next = buffer;
    for (std::uint32_t d = pass.first_draw; d < pass.first_draw + pass.draw_count; ++d) {
        const Draw& draw = frame.draws[d];
        const std::uint64_t record = static_cast<std::uint64_t>(parameters.primitive_header.count()) +
                                     std::uint64_t{3} * 16 * draw.varying_count;
        for (std::uint32_t i = 0; i < draw.primitive_count; ++i) {
            primitives.push_back(draw.first_primitive + i);
            records.push_back(next);
            next += record;
        }
    }
    records.push_back(next);
}

// What the entries of all lists take if every chunk is full.
std::uint64_t PolygonLists::list_bytes(const Frame& frame) const {
    std::uint64_t count = 0;
    for (const std::uint32_t primitive : primitives) {
        const Primitive& p = frame.primitives[primitive];
        count += (std::uint64_t{p.tile_x1} - p.tile_x0 + 1) * (std::uint64_t{p.tile_y1} - p.tile_y0 + 1);
    }
    return count / entries_per_chunk * block_bytes;
}

void PolygonLists::find_tiles(const Frame& frame, const Pass& pass, Binning binning) {
    // Where exact: the tiles of each primitive, met tile by tile, so in order.
    std::vector<std::vector<std::uint32_t>> covered;
    if (binning == Binning::exact && !primitives.empty()) {
        const std::uint32_t first = primitives.front();
        covered.resize(primitives.back() - first + 1);
        for (std::uint32_t tile = 0; tile < pass.tiles_x * pass.tiles_y; ++tile) {
            const Tile& quads = frame.tiles[pass.first_tile + tile];
            for (std::uint32_t q = quads.first_quad; q < quads.first_quad + quads.quad_count; ++q) {
                std::vector<std::uint32_t>& tiles = covered[frame.quads[q].primitive - first];
                if (tiles.empty() || tiles.back() != tile) tiles.push_back(tile);
            }
        }
    }
    for (const std::uint32_t number : primitives) {
        first_tile.push_back(static_cast<std::uint32_t>(tiles_of.size()));
        if (binning == Binning::exact) {
            const std::vector<std::uint32_t>& tiles = covered[number - primitives.front()];
            tiles_of.insert(tiles_of.end(), tiles.begin(), tiles.end());
            continue;
        }
        const Primitive& primitive = frame.primitives[number];
        for (std::uint32_t y = primitive.tile_y0; y <= primitive.tile_y1; ++y)
            for (std::uint32_t x = primitive.tile_x0; x <= primitive.tile_x1; ++x)
                tiles_of.push_back(y * pass.tiles_x + x);
    }
    first_tile.push_back(static_cast<std::uint32_t>(tiles_of.size()));
}

void PolygonLists::bin(const Pass& pass) {
    const std::uint32_t tile_count = pass.tiles_x * pass.tiles_y;
    first_entry.assign(tile_count + 1, 0);
    for (const std::uint32_t tile : tiles_of) ++first_entry[tile + 1];
    for (std::uint32_t tile = 0; tile < tile_count; ++tile) first_entry[tile + 1] += first_entry[tile];
    entries.resize(first_entry.back());
    std::vector<std::uint32_t> next = first_entry;
    for (std::uint32_t i = 0; i < primitives.size(); ++i)
        for (std::uint32_t t = first_tile[i]; t < first_tile[i + 1]; ++t) entries[next[tiles_of[t]]++] = i;
}

void PolygonLists::find_quads(const Frame& frame, const Pass& pass) {
    quads_end.resize(entries.size());
    for (std::uint32_t tile = 0; tile < tiles(); ++tile) {
        const Tile& quads = frame.tiles[pass.first_tile + tile];
        std::uint32_t next = quads.first_quad;
        for (std::uint32_t e = first_entry[tile]; e < first_entry[tile + 1]; ++e) {
            const std::uint32_t primitive = primitives[entries[e]];
            while (next < quads.first_quad + quads.quad_count && frame.quads[next].primitive == primitive) ++next;
            quads_end[e] = next;
        }
        assert(next == quads.first_quad + quads.quad_count);  // every quad is some entry's
    }
}

void PolygonLists::place_chunks() {
    const std::uint32_t tile_count = tiles();
    first_chunk.assign(tile_count + 1, 0);
    for (std::uint32_t tile = 0; tile < tile_count; ++tile) {
        const std::uint32_t length = first_entry[tile + 1] - first_entry[tile];
        first_chunk[tile + 1] = first_chunk[tile] + (length + entries_per_chunk - 1) / entries_per_chunk;
    }
    chunks.resize(first_chunk.back());
    auto free_block = static_cast<BlockNumber>((records.back() + block_bytes - 1) / block_bytes);
    std::vector<std::uint32_t> length(tile_count, 0);
    for (const std::uint32_t tile : tiles_of) {
        const std::uint32_t position = length[tile]++;
        if (position % entries_per_chunk == 0) chunks[first_chunk[tile] + position / entries_per_chunk] = free_block++;
    }
}

void PolygonLists::order_tiles(const Frame& frame, const Pass& pass, TileOrder tile_order) {
    const auto first = frame.draws.begin() + pass.first_draw;
    const bool cleared =
        std::any_of(first, first + pass.draw_count, [](const Draw& draw) { return draw.kind == DrawKind::clear; });
    for (std::uint32_t tile = 0; tile < tiles(); ++tile)
        if (cleared || first_entry[tile + 1] > first_entry[tile]) order.push_back(tile);
    if (tile_order == TileOrder::row) return;
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return z_order(a % pass.tiles_x, a / pass.tiles_x) < z_order(b % pass.tiles_x, b / pass.tiles_x);
    });
}

}  // namespace models
