#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "models/functional/tile_lanes.h"
#include "models/functional/tile_worker.h"

namespace models::functional {

namespace {

void copy_pixel(const RawCopy& copy, const std::byte* from, std::byte* to) {
    const std::size_t bytes = copy.target.format->block_bytes;
    if (copy.mask == ~0ULL) {
        std::memcpy(to, from, bytes);
        return;
    }
    std::uint64_t source = 0, target = 0;
    std::memcpy(&source, from, bytes);
    std::memcpy(&target, to, bytes);
    target = (target & ~copy.mask) | (source & copy.mask);
    std::memcpy(to, &target, bytes);
}

}  // namespace

// A copy reads each source pixel once, with all its samples, as its one fetch instruction would, which runs for the
// helper lanes of a quad too. Of a pixel with several samples a target with one gets the first; a pixel with one gives
// it to all.
void TileWorker::copy_batch() {
    const RawCopy& copy = *work_->copy;
    const FormatInfo& from = *copy.source.format;
    const std::uint32_t width = (copy.source.width + from.block_width - 1) / from.block_width;
    const std::uint32_t height = (copy.source.height + from.block_height - 1) / from.block_height;
    if (trace_ != nullptr) {
        memory_->make_room_in_tile(trace_->accesses, batch_quads);
        memory_->make_room_in_tile(trace_->blocks, batch_lanes);
    }
    for (int q = 0; q < shading_.count; ++q) {
        const BatchQuad& at = shading_.quads[static_cast<std::size_t>(q)];
        const std::uint8_t lanes = quad_bits(shading_.covered, q);
        std::array<BlockNumber, 4> touched{};
        std::size_t count = 0;
        for (std::int32_t lane = 0; lane < 4; ++lane) {
            const bool is_helper = (lanes >> lane & 1) == 0;
            const auto x = static_cast<std::uint32_t>(at.x + (lane & 1));
            const auto y = static_cast<std::uint32_t>(at.y + (lane >> 1));
            // Of less than 0 they are large numbers.
            const auto sx = static_cast<std::uint32_t>(copy.x.source(at.x + (lane & 1)));
            const auto sy = static_cast<std::uint32_t>(copy.y.source(at.y + (lane >> 1)));
            if (is_helper && (sx >= width || sy >= height)) continue;
            for (std::uint32_t sample = 0; sample < copy.target.samples && !is_helper; ++sample) {
                const std::uint32_t from_sample = copy.source.samples > 1 ? sample : 0;
                copy_pixel(copy, copy.source.sample(from_sample).texel(sx, sy), copy.target.sample(sample).texel(x, y));
            }
            const Address address = copy.source.texel_address(sx * from.block_width, sy * from.block_height);
            const auto block = static_cast<BlockNumber>(address / block_bytes);
            if (std::find(touched.begin(), touched.begin() + count, block) == touched.begin() + count)
                touched[count++] = block;
        }
        if (trace_ != nullptr) {
            Quad& quad = trace_->quads[shading_.tag[static_cast<std::size_t>(q)]];
            quad.written = lanes;
            quad.first_access = static_cast<std::uint32_t>(trace_->accesses.size());
            trace_->accesses.push_back({.first_block = static_cast<std::uint32_t>(trace_->blocks.size()),
                                        .block_count = static_cast<std::uint16_t>(count),
                                        .samples = 4,
                                        .lod = static_cast<std::uint16_t>(copy.level << 8U),
                                        .filter = TextureFilter::fetch,
                                        .texel_bytes = static_cast<std::uint8_t>(std::bit_ceil(from.block_bytes))});
            trace_->blocks.insert(trace_->blocks.end(), touched.begin(), touched.begin() + count);
        }
    }
    shading_.clear();
}

}  // namespace models::functional
