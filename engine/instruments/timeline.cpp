#include "engine/instruments/timeline.h"

#include <cstring>
#include <span>

#include "engine/ranks.h"

namespace engine {

std::vector<Timeline> Timeline::over_ranks(const Ranks& ranks) const {
    std::vector<Slice> slices;
    std::vector<std::uint64_t> shape;  // of each lane: how many slices, and whether it is full
    for (const Lane& lane : lanes) {
        shape.insert(shape.end(), {lane.slices.size(), lane.full ? 1U : 0U});
        slices.insert(slices.end(), lane.slices.begin(), lane.slices.end());
    }
    const std::vector<std::vector<std::uint64_t>> shapes = ranks.gather(std::span<const std::uint64_t>(shape));
    const std::vector<std::vector<std::byte>> parts = ranks.gather(std::as_bytes(std::span<const Slice>(slices)));
    std::vector<Timeline> all(parts.size(), Timeline(most_));
    for (std::size_t rank = 0; rank < parts.size(); ++rank) {
        const std::byte* from = parts[rank].data();
        for (std::size_t i = 0; i + 1 < shapes[rank].size(); i += 2) {
            Lane& lane = all[rank].lanes.emplace_back();
            lane.slices.resize(shapes[rank][i]);
            lane.full = shapes[rank][i + 1] != 0;
            const std::size_t bytes = lane.slices.size() * sizeof(Slice);
            if (bytes > 0) std::memcpy(lane.slices.data(), from, bytes);
            from += bytes;
        }
    }
    return all;
}

}  // namespace engine
