// Parameters of a cache of a processor.
#pragma once

#include <string_view>

#include "models/base/clocks.h"

namespace models {

struct CacheParameters : ParameterGroup {
    struct Defaults {
        Bytes capacity;
        int ways;
        Cycles latency;
        int mshrs;
        std::string_view source;
    };
    CacheParameters(ParameterGroup* parent, std::string_view name, std::string_view doc, const Defaults& defaults);
    Parameter<Bytes> capacity;
    Parameter<int> ways;
    Parameter<Cycles> latency;
    Parameter<int> mshrs;
    Parameter<int> merges;
    Choice<std::size_t> replacement;
    Choice<std::size_t> prefetcher;
    void check() const override;
};

// Throws ConfigError if lines of 64 bytes in so many ways (and pieces of the cache) do not make a power of two of sets.
void check_sets(const std::string& name, std::int64_t capacity, std::int64_t pieces, std::int64_t ways);

}  // namespace models
