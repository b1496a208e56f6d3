// Texture caches of several cores under a home policy, played one access after the other without time: what is local,
// what another core has, what the L2 cache is asked. Messages are delivered at once, but claims of owned buckets, which
// may come some accesses later.
#pragma once

#include <deque>
#include <set>
#include <vector>

#include "models/memory/home/affinity_table.h"
#include "models/memory/home/directory.h"
#include "models/memory/home/epoch_counter.h"
#include "models/memory/home/home_policy.h"
#include "models/structures/cache_array.h"

namespace models {

struct NucaShape {
    HomeShape home;
    CacheArrayShape cache{64, 4};  // 16 KiB of 64 B, paper 004, Table I
    std::uint32_t epoch_accesses = 20'000;
    DirectoryShape directory{2048, 8};  // of one slice
    std::uint32_t claim_delay = 0;      // accesses
    bool folds = false;                 // the set of a line comes from all bits of its number, folded, not the lowest
};

struct NucaFigures {
    std::uint64_t accesses = 0;
    std::uint64_t local_hits = 0;
    std::uint64_t remote_hits = 0, remote_misses = 0;  // in the cache of another core
    std::uint64_t l2_accesses = 0;                     // for data: those of a directory are not counted
    std::uint64_t recalled = 0;
    bool operator==(const NucaFigures&) const = default;
};

class NucaStudy {
  public:
    explicit NucaStudy(const NucaShape& shape)
        : shape_(shape),
          cores_(static_cast<CoreNumber>(shape.home.cores)),
          table_(shape.home.affinity),
          epochs_(shape.epoch_accesses),
          directory_(shape.directory) {
        for (CoreNumber core = 0; core < cores_; ++core) {
            homes_.emplace_back(shape.home.policy, shape.home, core);
            caches_.emplace_back(shape.cache);
        }
    }

    void access(CoreNumber core, BlockNumber block) {
        ++figures_.accesses;
        deliver_claims();
        homes_[core].visit([&](auto& home) {
            if (caches_[core].find(line_of(block)) != nullptr) {
                ++figures_.local_hits;
                const HomeHit hit = home.hit(block);
                if (hit.recent) caches_[core].access(line_of(block));
                if (hit.accesses > 0) count(core, table_.bucket(block), hit.accesses);
                return;
            }
            go(core, block, home.miss(block));
        });
        if (has_local_tables() && epochs_.add(1) > 0) begin_epoch();
    }

    const NucaFigures& figures() const { return figures_; }
    bool holds(CoreNumber core, BlockNumber block) const { return caches_[core].find(line_of(block)) != nullptr; }
    std::uint32_t copies(BlockNumber block) const {
        std::uint32_t count = 0;
        for (const CacheArray& cache : caches_) count += cache.find(line_of(block)) != nullptr ? 1 : 0;
        return count;
    }
    std::size_t distinct_blocks() const {
        std::set<BlockNumber> blocks;
        for (const CacheArray& cache : caches_)
            cache.for_each([&](const CacheArray::Line& line) { blocks.insert(block_of(line.number)); });
        return blocks.size();
    }
    const AffinityTable& table() const { return table_; }
    const Directory& directory() const { return directory_; }
    HomePolicy& home(CoreNumber core) { return homes_[core]; }
    CoreNumber last_asked() const { return last_asked_; }  // in whose cache a block that missed has come or was

  private:
    // A number that stands for the block in caches, and back. With 64 sets: bits 0 to 5 xor bits 6 to 11 and so on.
    LineNumber line_of(BlockNumber block) const {
        LineNumber line = block;
        if (shape_.folds)
            for (std::uint32_t shift = 6; shift < 32; shift += 6) line ^= (block >> shift) & 63U;
        return line;
    }
    BlockNumber block_of(LineNumber line) const { return line_of(line); }

    bool has_local_tables() const { return HomePolicy::names[shape_.home.policy] == DistributedAffinityHome::name; }

    void go(CoreNumber core, BlockNumber block, const Route& route) {
        switch (route.to) {
            case Route::To::memory:
                return fetch(core, block);
            case Route::To::core:
                return ask(route.core, core, block);
            case Route::To::table: {
                const CoreNumber owner = count(core, table_.bucket(block), route.accesses);
                return owner == core ? fetch(core, block) : ask(owner, core, block);
            }
            case Route::To::directory: {
                const CoreNumber owner = directory_.look_up(block);
                if (owner != no_core) return ask(owner, core, block);
                const Directory::Entry old = directory_.take(core, block, 0);
                if (old.line != none) recall(old);
                return fetch(core, block);
            }
        }
    }
    void fetch(CoreNumber core, BlockNumber block) {
        last_asked_ = core;
        ++figures_.l2_accesses;
        const CacheArray::Placed placed = caches_[core].place(line_of(block));
        placed.line->valid = block_sectors;
        if (placed.old.number != none) directory_.evicted(core, block_of(placed.old.number), 1);
    }
    void ask(CoreNumber owner, CoreNumber requester, BlockNumber block) {
        last_asked_ = owner;
        const bool recent = homes_[owner].visit([&](auto& home) { return home.serve(requester, block); });
        if (caches_[owner].find(line_of(block)) == nullptr) {
            ++figures_.remote_misses;
            fetch(owner, block);
            return;
        }
        ++figures_.remote_hits;
        if (recent) caches_[owner].access(line_of(block));
    }
    void recall(const Directory::Entry& old) {
        ++figures_.recalled;
        caches_[old.owner].invalidate([&](const CacheArray::Line& line) { return block_of(line.number) == old.line; });
    }

    // In the central table. Who is to have the block.
    CoreNumber count(CoreNumber core, std::uint32_t bucket, std::uint32_t accesses) {
        const AffinityTable::Access access = table_.access(core, bucket, accesses);
        if (access.before != access.after) tell(bucket, access.before, access.after);
        if (epochs_.add(accesses) > 0)
            table_.end_epoch(
                [&](std::uint32_t changed, CoreNumber before, CoreNumber after) { tell(changed, before, after); });
        return access.asked();
    }
    void tell(std::uint32_t bucket, CoreNumber before, CoreNumber after) {
        tell(before, bucket, false);
        tell(after, bucket, true);
    }
    void tell(CoreNumber core, std::uint32_t bucket, bool owned) {
        if (core == no_core) return;
        homes_[core].visit([&](auto& home) {
            if constexpr (requires { home.tell(bucket, owned); }) home.tell(bucket, owned);
        });
    }

    struct Broadcast {
        std::uint64_t due;
        OwnershipClaim claim;
    };
    void begin_epoch() {
        for (HomePolicy& each : homes_)
            each.visit([&](auto& home) {
                if constexpr (requires { home.table(); })
                    home.table().begin_epoch(epochs_.epoch(), [&](const OwnershipClaim& claim) {
                        broadcasts_.push_back({figures_.accesses + shape_.claim_delay, claim});
                    });
            });
    }
    void deliver_claims() {
        while (!broadcasts_.empty() && broadcasts_.front().due < figures_.accesses) {
            const OwnershipClaim claim = broadcasts_.front().claim;
            broadcasts_.pop_front();
            for (CoreNumber core = 0; core < cores_; ++core)
                homes_[core].visit([&](auto& home) {
                    if constexpr (requires { home.table(); })
                        if (core != claim.core) home.table().hear(claim);
                });
        }
    }

    NucaShape shape_;
    CoreNumber cores_;
    std::vector<HomePolicy> homes_;   // by core
    std::vector<CacheArray> caches_;  // by core
    AffinityTable table_;
    EpochCounter epochs_;
    Directory directory_;
    std::deque<Broadcast> broadcasts_;
    NucaFigures figures_;
    CoreNumber last_asked_ = no_core;
};

}  // namespace models
