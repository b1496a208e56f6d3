#include "models/memory/l2_parameters.h"

#include "models/memory/cache_parameters.h"
#include "models/structures/replacement/replacement.h"

namespace models {

L2Parameters::L2Parameters(ParameterGroup* parent, std::string_view name, std::string_view doc)
    : ParameterGroup(parent, name, doc),
      replacement(this, "replacement", options_of<Replacement>(), 0, "which line of a set goes when another comes",
                  "design: the papers name no policy") {}

void L2Parameters::check() const {
    check_sets("l2", capacity.count(), slices(), ways());
    require(tag_latency() < latency(), "l2.tag_latency: expected less than l2.latency (" +
                                           std::to_string(latency.count()) + " cycles), found " +
                                           std::to_string(tag_latency.count()));
}

}  // namespace models
