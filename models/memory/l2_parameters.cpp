#include "models/memory/l2_parameters.h"

namespace models {

// The latency is from a request's turn to its answer on a hit.
L2Parameters::L2Parameters(ParameterGroup* parent, std::string_view name, std::string_view doc,
                           const PrefetchParameters* prefetch)
    : CacheParameters(parent, name, doc,
                      {{1 << 20}, 8, {18}, 16, "paper 004, Table I", 1, 64, 8, "data capacity of all slices"},
                      prefetch) {}

void L2Parameters::check() const {
    check_pieces(slices());
    require(line() >= block_bytes,
            "l2.line: expected at least 64 B, what most units request at a time, found " + line.value_text());
    require(tag_latency() < latency(), "l2.tag_latency: expected less than l2.latency (" +
                                           std::to_string(latency.count()) + " cycles), found " +
                                           std::to_string(tag_latency.count()));
}

CacheShape L2Parameters::shape(engine::Time period) const {
    CacheShape shape = shape_of_piece(period, slices());
    shape.miss_latency = tag_latency.count() * period;
    return shape;
}

}  // namespace models
