// Parameters of the shared second-level cache: those of a cache, of all its slices together, and how requests wait.
#pragma once

#include "models/memory/cache_parameters.h"

namespace models {

struct L2Parameters : CacheParameters {
    L2Parameters(ParameterGroup* parent, std::string_view name, std::string_view doc,
                 const PrefetchParameters* prefetch = nullptr);
    Parameter<int> slices{this, "slices", 8, {1, 64}, "slices, interleaved by line", "paper 004, Table I: 8 banks"};
    Parameter<Cycles> tag_latency{
        this, "tag_latency", {6}, {{1}, {999}}, "part of the latency until a miss is known and leaves", "design"};
    Parameter<int> miss_queue{
        this,
        "miss_queue",
        8,
        {1, 256},
        "requests of a slice that cannot be served yet and that others, for other lines, may pass",
        "design"};
    Parameter<int> requests_per_port{
        this,
        "requests_per_port",
        4,
        {1, 256},
        "requests of one processor that a slice has room for; the answer returns the credit",
        "design"};
    void check() const override;

    // Blocks that are always in the same slice.
    std::uint32_t line_blocks() const { return line() / block_bytes; }
    // Of one slice.
    CacheShape shape(engine::Time period) const;
};

}  // namespace models
