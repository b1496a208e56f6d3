#include "models/network/network_parameters.h"

#include "models/network/interconnect.h"

namespace models {

NetworkParameters::NetworkParameters(ParameterGroup* parent, std::string_view name, std::string_view doc)
    : ParameterGroup(parent, name, doc),
      kind(this, "kind", options_of<Interconnect>(), 0, "between the processors and the L2 slices",
           "papers 000, 002 and 004: first-level caches share a bus to the second-level cache") {}

}  // namespace models
