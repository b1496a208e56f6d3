#include "models/memory/address_space_parameters.h"

#include <bit>
#include <string>

namespace models {
namespace {

void check_sets(const ParameterGroup& group, const Parameter<int>& entries, const Parameter<int>& ways) {
    const int sets = entries() / ways();
    require(entries() % ways() == 0 && std::has_single_bit(static_cast<unsigned>(sets)),
            group.name() + ": expected entries / ways to be a power of two (the number of sets), found " +
                entries.value_text() + " entries of " + ways.value_text() + " ways");
}

}  // namespace

void TlbParameters::check() const {
    check_sets(*this, entries, ways);
}

void MmuParameters::check() const {
    check_sets(*this, entries, ways);
}

}  // namespace models
