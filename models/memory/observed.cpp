#include "models/memory/observed.h"

#include <bit>

namespace models {

void ObserveParameters::check() const {
    require(std::has_single_bit(static_cast<unsigned>(reuse_sampling())),
            "observe.reuse_sampling: expected a power of two, found " + reuse_sampling.value_text());
    for (const Parameter<Cycles>* every : {&census_every, &bandwidth_every})
        require((*every)().count == 0 || (*every)().count >= 100,
                "observe." + every->name() + ": expected 0 or at least 100 cycles, found " + every->value_text());
}

void ObserveParameters::add_without_effect(WithoutEffect& found) const {
    if (!reuse()) found.add(*this, "observe.reuse is false", {&reuse_sampling});
}

Observed ObserveParameters::observed(const Clocks& clocks) const {
    Observed observed;
    observed.latency = latency();
    observed.occupancy = occupancy();
    observed.reuse = reuse();
    observed.reuse_sampling = static_cast<std::uint32_t>(reuse_sampling());
    observed.census_every = census_every.count() * clocks.gpu;
    observed.period = clocks.gpu;
    return observed;
}

}  // namespace models
