// What home policies are made of. A core here is whatever has a texture cache of its own: a fragment processor of paper
// 004, or a cluster of several that share one. Its home is where a block that misses in a core's own cache is looked
// for before the L2 cache is asked.
#pragma once

#include <cstddef>
#include <cstdint>

namespace models {

using CoreNumber = std::uint16_t;
inline constexpr CoreNumber no_core = 0xffff;
inline constexpr std::uint32_t most_homes = 1 << 10;  // cores

// What happens to counters when an epoch ends (paper 004, III-B, has "a reset", and calls a halving one as well).
enum class EpochCounters : std::uint8_t { zero, halve };
// How owners are found when an epoch ends, before that ("recompute the ownership").
enum class EpochOwner : std::uint8_t {
    most_accesses,  // who has the greatest counter
    keep,           // as they are
    first_touch,    // as at the beginning: the first who accesses a bucket
};

struct AffinityShape {
    std::uint32_t cores = 1, buckets = 1;
    std::uint32_t page_blocks = 1;
    std::uint32_t counter_bits = 1;    // at most 8
    std::uint32_t owner_bits = 1;      // what a table needs to name a core; only for its size
    std::uint32_t change_percent = 0;  // by which a saturated counter must exceed the owner's
    bool compare_halved = false;       // the two counters, after halving and not before
    bool halve_all = false;            // a saturation halves counters of all buckets, not of its own alone
    EpochCounters epoch_counters = EpochCounters::zero;
    EpochOwner epoch_owner = EpochOwner::most_accesses;

    // Of one table: for each bucket a counter for every core, and the owner's number.
    std::uint64_t table_bits() const {
        return std::uint64_t{buckets} * (std::uint64_t{cores} * counter_bits + owner_bits);
    }
};

// Of the directory of one L2 slice.
struct DirectoryShape {
    std::uint32_t sets = 1, ways = 1;  // a power of two; at most 64
    std::uint32_t stride = 1;          // lines of the L2 cache of a slice are so many apart: slices take turns
    std::uint32_t line_blocks = 1;     // of such a line; the directory's own are of a block
};

// What a home policy needs elsewhere in the machine.
struct HomeNeeds {
    enum class Tables : std::uint8_t {
        nowhere,
        central,   // one affinity table, at the home mesh
        of_cores,  // one in every core, told of the end of epochs
    };
    bool mesh = true;        // between cores; none: what misses goes to the L2 cache
    bool directory = false;  // at the L2 slices
    Tables tables = Tables::nowhere;
};

struct HomeShape {
    std::size_t policy = 0;  // member of HomePolicy
    std::uint32_t cores = 1;
    std::uint32_t interleave = 1;  // neighbouring blocks with one static home
    AffinityShape affinity;
    bool count_hits = true;              // of a core's own cache; else only what misses there is counted
    std::uint32_t note_accesses = 1;     // hits of a bucket that are told a central table together, at most 255
    bool count_served = true;            // distributed: requests of others are counted in the owner's table
    bool recent_without_owning = false;  // a hit in a cache that does not own the bucket makes the line recent
};

}  // namespace models
