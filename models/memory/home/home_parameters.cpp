#include "models/memory/home/home_parameters.h"

#include <bit>
#include <string>

#include "models/memory/home/home_policy.h"
#include "models/structures/sectors.h"

namespace models {

HomeParameters::HomeParameters(ParameterGroup* parent, std::string_view name, std::string_view doc)
    : ParameterGroup(parent, name, doc),
      policy(this, "policy", options_of<HomePolicy>(), 0,
             "where a block that misses in a core's texture cache is looked for",
             "paper 004, section VI: the baseline"),
      interleave(this, "interleave", 1, {1, 1 << 16}, "s_nuca: neighbouring blocks (64 B) in one cache",
                 "paper 004, II-D: the lower bits of the address"),
      buckets(this, "buckets", 32, {1, 1 << 12}, "dtm_nuca*: buckets of pages, each of which has an owner",
              "paper 004, III-A and Table I"),
      page_blocks(this, "page_blocks", 8, {1, 1 << 16}, "dtm_nuca*: blocks (64 B) of a page", "paper 004, Table I"),
      counter_bits(this, "counter_bits", 4, {1, 8}, "dtm_nuca*: bits of a counter of accesses to a bucket",
                   "paper 004, III-A and Table I"),
      owner_bits(this, "owner_bits", 5, {1, 10}, "dtm_nuca*: bits that name the owner of a bucket",
                 "paper 004, III-A: 5 for 32 cores"),
      change_percent(this, "change_percent", 25, {0, 10'000},
                     "dtm_nuca*: percent by which a saturated counter has to exceed the owner's for a change of owner",
                     "design: paper 004, III-B, has it and gives no value; the owner's is at most 11 of 15 then"),
      compare_halved(this, "compare_halved", false, "dtm_nuca*: those two counters after halving, else before",
                     "design: before halving no bit is lost"),
      halve_all(this, "halve_all", false, "dtm_nuca*: a saturation halves the counters of all buckets, else of its own",
                "design: only those of a bucket are compared"),
      epoch_accesses(this, "epoch_accesses", 20'000, {1, 1'000'000'000},
                     "dtm_nuca*: accesses to textures of all cores together in an epoch",
                     "paper 004, III-B and Table I"),
      epoch_counters(this, "epoch_counters", {{"zero", EpochCounters::zero}, {"halve", EpochCounters::halve}},
                     EpochCounters::zero, "dtm_nuca*: what becomes of counters when an epoch ends",
                     "paper 004, III-B: a reset"),
      epoch_owner(this, "epoch_owner",
                  {{"most_accesses", EpochOwner::most_accesses},
                   {"keep", EpochOwner::keep},
                   {"first_touch", EpochOwner::first_touch}},
                  EpochOwner::most_accesses, "dtm_nuca*: who owns a bucket when an epoch has ended",
                  "design: paper 004, III-B, has ownership recomputed"),
      count_hits(this, "count_hits", true, "dtm_nuca*: hits in a core's own cache count as accesses, else only misses",
                 "paper 004, III-B: every time a texture block is accessed"),
      note_accesses(this, "note_accesses", 8, {1, 255},
                    "dtm_nuca: hits of a bucket that a core counts before it tells the central table",
                    "design: half of a counter of 4 bits; a table cannot be told of every hit"),
      count_served(this, "count_served", true,
                   "dtm_nuca_distributed: requests that a core serves for others count in its table",
                   "design: paper 004, III-A, counts requests that arrive"),
      recent_without_owning(this, "recent_without_owning", false,
                            "dtm_nuca*: a hit in a cache that does not own the bucket makes the line recent",
                            "paper 004, III-B: it does not"),
      table_limit(this, "table_limit", {64 << 10}, {{1}, {1 << 24}}, "dtm_nuca*: the greatest affinity table allowed",
                  "design: paper 004, Table I, has 0.51 KiB"),
      directory_entries(this, "directory_entries", 16'384, {1, 1 << 24},
                        "d_nuca: lines that the directory of all L2 slices together knows the owner of",
                        "paper 004, section VI: as many as the L2 cache has; Table I: 1 MiB of 64 B"),
      directory_ways(this, "directory_ways", 8, {1, 64}, "d_nuca: associativity of the directory",
                     "paper 004, Table I: of the L2 cache"),
      reserved_mshrs(this, "reserved_mshrs", 2, {1, 255},
                     "MSHRs of a texture cache that only requests of other cores may take", "design: mshr_shares.h"),
      injection_latency(this, "injection_latency", {4}, {{1}, {1000}},
                        "cycles from a lookup in a texture cache until its message is at the router of the core",
                        "design: with the mesh a hit 4 hops away takes 36 cycles, one in the L2 cache 59; paper 004, "
                        "section I: cheaper than a round trip to the L2 cache"),
      delivery_latency(this, "delivery_latency", {5}, {{1}, {1000}},
                       "cycles from the last router until a message is in the queue of whom it is for", "design"),
      table_latency(this, "table_latency", {1}, {{1}, {1000}},
                    "dtm_nuca: cycles of a lookup of the central table; dtm_nuca_distributed: until an epoch that has "
                    "ended is told",
                    "design: paper 004 has none; 0.5 KiB"),
      table_interval(this, "table_interval", {1}, {{1}, {64}},
                     "dtm_nuca*: cycles from a lookup of the central table, or a sum of accesses, to the next one",
                     "design: paper 004, IV-A: accesses contend; one a cycle is what its router hands on") {}

HomeNeeds HomeParameters::needs() const {
    return needs_of(policy());
}

void HomeParameters::check_site(const Site& site) const {
    if (!needs().mesh) return;
    require(site.line_bytes == block_bytes && site.sector_bytes == block_bytes,
            "texture_cache.line: expected lines of 64 B, fetched whole, with " + name() + ".policy = \"" +
                policy.value_text() + "\", found lines of " + std::to_string(site.line_bytes) + " B and sectors of " +
                std::to_string(site.sector_bytes) + " B");
    require(!site.has_prefetcher, "texture_cache.prefetcher: expected \"none\" with " + name() + ".policy = \"" +
                                      policy.value_text() +
                                      "\", as lines of other cores' caches are not put in a core's own");
    require(!site.is_perfect, "texture_cache.perfect: expected false with " + name() + ".policy = \"" +
                                  policy.value_text() + "\", as nothing is asked of others where every access hits");
    require(site.cores <= static_cast<int>(most_homes), name() + ": expected at most " + std::to_string(most_homes) +
                                                            " cores with texture caches, found " +
                                                            std::to_string(site.cores));
    require(reserved_mshrs() < site.mshrs, name() + ".reserved_mshrs: expected less than the " +
                                               std::to_string(site.mshrs) + " MSHRs of a texture cache, found " +
                                               reserved_mshrs.value_text());
    if (needs().tables != HomeNeeds::Tables::nowhere) check_table(site);
    if (needs().directory) check_directory(site);
}

void HomeParameters::check_table(const Site& site) const {
    const auto needed = static_cast<int>(std::bit_width(static_cast<unsigned>(site.cores) - 1));
    require(needed <= owner_bits(), name() + ".owner_bits: expected at least " + std::to_string(needed) + " for " +
                                        std::to_string(site.cores) + " cores, found " + owner_bits.value_text());
    const std::uint64_t bytes = (shape(site.cores).affinity.table_bits() + 7) / 8;
    require(bytes <= static_cast<std::uint64_t>(table_limit.count()),
            name() + ".table_limit: expected at least the " + std::to_string(bytes) + " B of an affinity table of " +
                buckets.value_text() + " buckets and " + std::to_string(site.cores) + " cores, found " +
                table_limit.value_text());
}

void HomeParameters::check_directory(const Site& site) const {
    require(site.is_contiguous, "address_space.placement: expected \"contiguous\" with " + name() +
                                    ".policy = \"d_nuca\", whose directory knows lines by physical addresses");
    const int set = site.slices * directory_ways();
    require(directory_entries() % set == 0 && std::has_single_bit(static_cast<unsigned>(directory_entries() / set)),
            name() +
                ".directory_entries: expected entries / (ways x slices) to be a power of two (the number of sets), "
                "found " +
                directory_entries.value_text() + " entries, " + directory_ways.value_text() + " ways and " +
                std::to_string(site.slices) + " slices");
}

bool HomeParameters::applies(int cores) const {
    return cores > 1 && needs().mesh;
}

void HomeParameters::add_without_effect(WithoutEffect& found, int cores) const {
    if (!applies(cores)) {
        found.add(*this, cores > 1 ? name() + ".policy is " + policy.value_text() : "there is one texture cache", {},
                  {&policy});
        return;
    }
    const std::string_view chosen = HomePolicy::names[policy()];
    const std::string why = name() + ".policy is " + policy.value_text();
    if (chosen != StaticHome::name) found.add(*this, why, {&interleave});
    if (!needs().directory) found.add(*this, why, {&directory_entries, &directory_ways});
    if (chosen != CentralAffinityHome::name) found.add(*this, why, {&note_accesses});
    if (chosen == CentralAffinityHome::name && !count_hits())
        found.add(*this, name() + ".count_hits is false", {&note_accesses});
    if (chosen != DistributedAffinityHome::name) found.add(*this, why, {&count_served});
    if (needs().tables == HomeNeeds::Tables::nowhere)
        found.add(*this, why,
                  {&buckets, &page_blocks, &counter_bits, &owner_bits, &change_percent, &compare_halved, &halve_all,
                   &epoch_accesses, &epoch_counters, &epoch_owner, &count_hits, &recent_without_owning, &table_limit,
                   &table_latency, &table_interval});
}

HomeShape HomeParameters::shape(int cores) const {
    const auto number = [](const Parameter<int>& parameter) { return static_cast<std::uint32_t>(parameter()); };
    HomeShape shape;
    shape.policy = policy();
    shape.cores = static_cast<std::uint32_t>(cores);
    shape.interleave = number(interleave);
    shape.affinity = {shape.cores,        number(buckets),        number(page_blocks), number(counter_bits),
                      number(owner_bits), number(change_percent), compare_halved(),    halve_all(),
                      epoch_counters(),   epoch_owner()};
    shape.count_hits = count_hits();
    shape.note_accesses = number(note_accesses);
    shape.count_served = count_served();
    shape.recent_without_owning = recent_without_owning();
    return shape;
}

DirectoryShape HomeParameters::directory_shape(int slices, std::uint32_t line_blocks) const {
    return {static_cast<std::uint32_t>(directory_entries() / (directory_ways() * slices)),
            static_cast<std::uint32_t>(directory_ways()), static_cast<std::uint32_t>(slices), line_blocks};
}

}  // namespace models
