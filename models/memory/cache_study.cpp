#include "models/memory/cache_study.h"

#include <bit>
#include <utility>

namespace models {

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
      cache_(&counters_, shape, {behind_, 0, MemoryClient::texture}) {}

void CacheStudy::access(Address address, bool is_write) {
    const auto block = static_cast<BlockNumber>(address / block_bytes);
    const auto sectors = static_cast<SectorMask>(address % block_bytes < sector_bytes ? 1 : 2);
    const bool hit = cache_.holds(block, sectors);
    const Cache::Access access{
        block, sectors, is_write ? Cache::Kind::write_part : Cache::Kind::read, MemoryClient::texture, 0, {}};
    Cache::Outcome outcome = Cache::Outcome::busy;
    while (!Cache::is_served(outcome)) outcome = cache_.access(++now_, access);
    for (const RequestTag tag : std::exchange(behind_.asked, {})) cache_.fill(now_, tag);
    while (cache_.write_back(++now_)) {
    }
    for (; behind_.writes > 0; --behind_.writes) cache_.on_written();

    const auto line = static_cast<LineNumber>(address / shape_.line_bytes);
    const std::uint32_t distance = distances_.access(line);
    const bool is_first = seen_.insert(static_cast<std::uint32_t>(address / shape_.sector_bytes)).second;
    lines_.push_back(line);
    ++figures_.accesses;
    if (is_write) ++figures_.writes;
    if (distance == ReuseDistance::never)
        ++figures_.first_accesses;
    else
        ++figures_.reuse[static_cast<std::size_t>(std::bit_width(distance))];
    if (hit) {
        ++figures_.hits;
        return;
    }
    ++figures_.misses;
    const std::uint32_t all_lines = shape_.array.sets * shape_.array.ways;
    ++(is_first ? figures_.cold : distance >= all_lines ? figures_.capacity : figures_.conflict);
}

CacheFigures CacheStudy::figures() const {
    CacheFigures figures = figures_;
    figures.optimal_hits = optimal_hits(lines_, shape_.array);
    figures.bytes_fetched = behind_.fetched;
    figures.bytes_written = behind_.written;
    return figures;
}

}  // namespace models
