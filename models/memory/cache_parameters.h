// Parameters of a cache, and the shape of one that is made after them.
#pragma once

#include <string_view>

#include "models/base/clocks.h"
#include "models/prefetch/prefetch_shape.h"
#include "models/structures/cache_array.h"

namespace models {

enum class WritePolicy : std::uint8_t { write_back, no_allocate, write_through };

// What a Cache is made after; times in ticks.
struct CacheShape {
    CacheArrayShape array;
    std::uint32_t line_bytes = block_bytes, sector_bytes = block_bytes;  // sectors: at most a line
    std::uint32_t banks = 1, ports = 1;
    std::uint32_t mshrs = 1, targets = 1, eviction_buffer = 2;
    WritePolicy write_policy = WritePolicy::write_back;
    std::size_t prefetcher = 0;  // member of Prefetcher
    PrefetchShape prefetch = {};
    engine::Time latency = 1;
    engine::Time miss_latency = 1;  // from a lookup that misses to its request
    engine::Time fill_time = 0;     // that a fill keeps its bank from serving accesses
    bool perfect = false;           // every access hits
};

class WithoutEffect;
struct PrefetchParameters;

struct CacheParameters : ParameterGroup {
    struct Defaults {
        Bytes capacity;
        int ways;
        Cycles latency;
        int mshrs;
        std::string_view source;
        int banks = 1, targets = 16, eviction_buffer = 8;
        std::string_view capacity_doc = "data capacity";
    };
    // `prefetch`: of the prefetchers of a machine; null: they are as by default.
    CacheParameters(ParameterGroup* parent, std::string_view name, std::string_view doc, const Defaults& defaults,
                    const PrefetchParameters* prefetch = nullptr);
    Parameter<Bytes> capacity;
    Choice<std::uint32_t> line;
    Choice<std::uint32_t> sector;
    Parameter<int> ways;
    Parameter<int> banks;
    Parameter<int> ports;
    Parameter<Cycles> latency;
    Parameter<Cycles> fill_cycles;
    Parameter<int> mshrs;
    Parameter<int> targets;
    Parameter<int> eviction_buffer;
    Choice<WritePolicy> write_policy;
    Choice<std::size_t> replacement;
    Choice<SetIndex> index;
    Choice<std::size_t> prefetcher;
    engine::Flag perfect;
    void check() const override;
    void add_without_effect(WithoutEffect& found) const;

    CacheShape shape(engine::Time period) const;

  protected:
    // The cache is in so many pieces (slices), which take turns line by line.
    void check_pieces(int pieces) const;
    CacheShape shape_of_piece(engine::Time period, int pieces) const;

  private:
    const PrefetchParameters* prefetch_;
};

inline constexpr CacheParameters::Defaults texture_cache_defaults{{16 << 10}, 4, {2}, 16, "paper 004, Table I", 4};

}  // namespace models
