#include "models/memory/observed.h"

#include <bit>

namespace models {

namespace {

constexpr std::int64_t most_pipeline_cycles = 5'000'000;

}  // namespace

void ObserveParameters::check() const {
    require(std::has_single_bit(static_cast<unsigned>(reuse_sampling())),
            "observe.reuse_sampling: expected a power of two, found " + reuse_sampling.value_text());
    for (const Parameter<Cycles>* every : {&census_every, &bandwidth_every})
        require((*every)().count == 0 || (*every)().count >= 100,
                "observe." + every->name() + ": expected 0 or at least 100 cycles, found " + every->value_text());
    if (pipeline_cores() == 0) return;
    const std::int64_t from = pipeline_from().count, to = pipeline_to().count;
    require(from < to, "observe.pipeline_to: expected more than observe.pipeline_from (" + pipeline_from.value_text() +
                           "), found " + pipeline_to.value_text());
    const std::int64_t longest = most_pipeline_cycles / pipeline_cores();
    require(to - from <= longest, "observe.pipeline_to: expected at most " + std::to_string(from + longest) +
                                      ", so that with observe.pipeline_cores = " + pipeline_cores.value_text() +
                                      " no more than " + std::to_string(most_pipeline_cycles) +
                                      " cycles of cores are recorded, found " + pipeline_to.value_text());
}

void ObserveParameters::add_without_effect(WithoutEffect& found) const {
    if (!reuse()) found.add(*this, "observe.reuse is false", {&reuse_sampling});
    if (pipeline_cores() == 0) found.add(*this, "observe.pipeline_cores is 0", {&pipeline_from, &pipeline_to});
}

Observed ObserveParameters::observed(const Clocks& clocks) const {
    Observed observed;
    observed.latency = latency();
    observed.occupancy = occupancy();
    observed.reuse = reuse();
    observed.reuse_sampling = static_cast<std::uint32_t>(reuse_sampling());
    observed.census_every = census_every.count() * clocks.gpu;
    observed.period = clocks.gpu;
    observed.pipeline_cores = pipeline_cores();
    observed.pipeline_from = pipeline_from.count() * clocks.gpu;
    observed.pipeline_to = pipeline_to.count() * clocks.gpu;
    return observed;
}

}  // namespace models
