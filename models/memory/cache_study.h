// A cache alone, played one access after the other: how often it hits, why it misses, what the best replacement could
// have done. What `tessera cache` does.
//
//     cold      the first access of what is fetched together (the line, or the sector)
//     capacity  a fully associative LRU cache of the same size would miss, too: its reuse distance is too large
//     conflict  the others: too few ways, a policy that chose badly, or a write that was not kept
//
// The classes are those of Hill and Smith (IEEE Transactions on Computers, 1989). Memory answers at once, before the
// next access: what there is for the sake of time (latency, banks, MSHRs, buffers) changes nothing, and no prefetch is
// late. It needs 12 to 20 bytes of memory for an access, all of which Belady's optimum has to know, and some 120 for a
// line.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_set>
#include <vector>

#include "models/memory/address_regions.h"
#include "models/memory/cache.h"
#include "models/structures/optimal_replacement.h"
#include "models/structures/reuse_distance.h"

namespace models {

struct CacheFigures {
    std::uint64_t accesses = 0, writes = 0;
    std::uint64_t hits = 0, misses = 0;
    std::uint64_t cold = 0, capacity = 0, conflict = 0;  // misses
    // Of lines; Belady's optimum in as many sets and ways, which fetches what it misses; where the write policy sends
    // writes on, it may do so with any access.
    std::uint64_t optimal_hits = 0;
    std::uint64_t bytes_fetched = 0, bytes_written = 0;  // behind the cache; what is left dirty is not written
    std::uint64_t lines_written_back = 0, lines_left_dirty = 0;
    std::uint64_t prefetches = 0, prefetches_used = 0, prefetches_useless = 0;  // lines; the others are still there
    // Accesses by reuse distance: [0] 0, [i] 2^(i-1) to 2^i - 1 lines.
    std::array<std::uint64_t, 33> reuse{};
    std::uint64_t first_accesses = 0;  // of lines: no distance
};

class CacheStudy {
  public:
    explicit CacheStudy(const CacheShape& shape);

    // Of the byte at this address. False, and nothing is done, if it is in one region() too many.
    bool access(Address address, bool is_write);
    CacheFigures figures() const;
    const AddressRegions& regions() const { return regions_; }

  private:
    // Answers at once.
    struct Behind final : MemoryExit {
        std::string_view answered_by() const override { return "memory"; }
        bool can_send(BlockNumber /*block*/, int /*requests*/) const override { return true; }
        void send(engine::Time now, const MemoryRequest& request, engine::Time delay) override;
        std::vector<RequestTag> asked;
        std::uint64_t fetched = 0, written = 0;  // bytes
        int writes = 0;                          // not acknowledged
    };

    bool play(const Cache::Access& access);

    CacheShape shape_;
    AddressRegions regions_;
    engine::CounterList counters_;
    Behind behind_;
    Cache cache_;
    engine::Time now_ = 0;
    CacheFigures figures_;
    ReuseDistance distances_;
    std::unordered_set<std::uint32_t> seen_;  // sectors that have been accessed
    std::vector<LineNumber> lines_;           // accessed, in order
};

}  // namespace models
