// Parameters of the home policy of texture caches.
#pragma once

#include "models/base/clocks.h"
#include "models/base/without_effect.h"
#include "models/memory/home/home_shape.h"

namespace models {

struct HomeParameters : ParameterGroup {
    HomeParameters(ParameterGroup* parent, std::string_view name, std::string_view doc);
    Choice<std::size_t> policy;
    Parameter<int> interleave;
    Parameter<int> buckets;
    Parameter<int> page_blocks;
    Parameter<int> counter_bits;
    Parameter<int> owner_bits;
    Parameter<int> change_percent;
    engine::Flag compare_halved;
    engine::Flag halve_all;
    Parameter<int> epoch_accesses;
    Choice<EpochCounters> epoch_counters;
    Choice<EpochOwner> epoch_owner;
    engine::Flag count_hits;
    Parameter<int> note_accesses;
    engine::Flag count_served;
    engine::Flag recent_without_owning;
    Parameter<Bytes> table_limit;
    Parameter<int> directory_entries;
    Parameter<int> directory_ways;
    Parameter<int> reserved_mshrs;
    Parameter<Cycles> injection_latency;
    Parameter<Cycles> delivery_latency;
    Parameter<Cycles> table_latency;
    Parameter<Cycles> table_interval;

    // The machine around it.
    struct Site {
        int cores;                   // that have a texture cache each
        int mshrs;                   // of a texture cache
        std::uint32_t line_bytes;    // of a texture cache
        std::uint32_t sector_bytes;  // that it fetches alone, at most a line
        int slices;                  // of the L2 cache
        bool has_prefetcher;         // texture caches
        bool is_perfect;             // texture caches
        bool is_contiguous;          // virtual addresses are physical ones
    };
    // Throws ConfigError if the chosen policy does not fit that machine.
    void check_site(const Site& site) const;

    HomeShape shape(int cores) const;
    // Caches are one; with one core there is none to ask, and nothing of it is built.
    bool applies(int cores) const;
    HomeNeeds needs() const;  // of the chosen policy
    void add_without_effect(WithoutEffect& found, int cores) const;
    // Of a slice. `line_blocks`: of a line of the L2 cache.
    DirectoryShape directory_shape(int slices, std::uint32_t line_blocks) const;

  private:
    void check_table(const Site& site) const;
    void check_directory(const Site& site) const;
};

}  // namespace models
