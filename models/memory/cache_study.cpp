#include "models/memory/cache_study.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace models {
namespace {

// Sets repeat in them.
std::uint64_t region_bytes(const CacheShape& shape) {
    constexpr std::uint64_t least = std::uint64_t{1} << 20U;
    const std::uint64_t span = std::uint64_t{shape.array.sets} * shape.array.stride * shape.line_bytes;
    return span * std::max<std::uint64_t>(1, least / span);
}

}  // namespace

void CacheStudy::Behind::send(engine::Time /*now*/, const MemoryRequest& request, engine::Time /*delay*/) {
    if (request.operation == MemoryOperation::read) {
        fetched += bytes_of(request.sectors);
        asked.push_back(request.tag);
    } else {
        written += bytes_of(request.sectors);
        ++writes;
    }
}

CacheStudy::CacheStudy(const CacheShape& shape)
    : shape_(shape),
      regions_(region_bytes(shape)),
      cache_(&counters_, shape, {behind_, 0, MemoryClient::texture}) {}

bool CacheStudy::access(Address address, bool is_write) {
    const std::optional<Address> moved = regions_.moved(address);
    if (!moved) return false;
    const auto block = static_cast<BlockNumber>(*moved / block_bytes);
    const auto sectors = static_cast<SectorMask>(*moved % block_bytes < sector_bytes ? 1 : 2);
    const bool hit =
        play({block, sectors, is_write ? Cache::Kind::write_part : Cache::Kind::read, MemoryClient::texture, 0, {}});

    const auto line = static_cast<LineNumber>(*moved / shape_.line_bytes);
    const std::uint32_t distance = distances_.access(line);
    const bool is_first = seen_.insert(static_cast<std::uint32_t>(*moved / shape_.sector_bytes)).second;
    lines_.push_back(line);
    ++figures_.accesses;
    if (is_write) ++figures_.writes;
    if (distance == ReuseDistance::never)
        ++figures_.first_accesses;
    else
        ++figures_.reuse[static_cast<std::size_t>(std::bit_width(distance))];
    if (hit) {
        ++figures_.hits;
        return true;
    }
    ++figures_.misses;
    const std::uint32_t all_lines = shape_.array.sets * shape_.array.ways;
    ++(is_first ? figures_.cold : distance >= all_lines ? figures_.capacity : figures_.conflict);
    return true;
}

// True if it finds what it needs.
bool CacheStudy::play(const Cache::Access& access) {
    const bool hit = cache_.holds(access.block, access.sectors);
    Cache::Outcome outcome = Cache::Outcome::busy;
    while (!Cache::is_served(outcome)) outcome = cache_.access(++now_, access);
    for (const RequestTag tag : behind_.asked) cache_.fill(now_, tag);
    behind_.asked.clear();
    while (cache_.write_back(++now_)) {
    }
    for (; behind_.writes > 0; --behind_.writes) cache_.on_written();
    return hit;
}

CacheFigures CacheStudy::figures() const {
    CacheFigures figures = figures_;
    figures.optimal_hits = optimal_hits(lines_, shape_.array, shape_.write_policy != WritePolicy::write_back);
    figures.bytes_fetched = behind_.fetched;
    figures.bytes_written = behind_.written;
    figures.lines_written_back = cache_.written_back.value();
    figures.lines_left_dirty = cache_.dirty_lines();
    figures.prefetches = cache_.prefetches.value();
    figures.prefetches_used = cache_.prefetches_used.value();
    figures.prefetches_useless = cache_.prefetches_useless.value();
    return figures;
}

}  // namespace models
