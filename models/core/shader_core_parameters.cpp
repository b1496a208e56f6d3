#include "models/core/shader_core_parameters.h"

#include "models/core/pipelines/pipeline.h"
#include "models/core/schedulers/scheduler.h"

namespace models {

ShaderCoreParameters::ShaderCoreParameters(ParameterGroup* parent, std::string_view name, std::string_view doc,
                                           const Defaults& defaults)
    : ParameterGroup(parent, name, doc),
      count(this, "count", defaults.count, {defaults.least, defaults.most}, defaults.count_doc, defaults.count_source),
      warps(this, "warps", defaults.warps, {1, 64}, "warps resident in a processor", "design"),
      thread_registers(this, "thread_registers", 16, {1, 1024},
                       "vector registers (16 bytes) that the register file has for each resident thread; energy is "
                       "counted of them, programs are not limited by them",
                       "design"),
      groups_per_warp(this, "groups_per_warp", defaults.groups_per_warp, {1, 16}, defaults.group_doc,
                      defaults.group_source),
      export_warps(this, "export_warps", 4, {0, 64},
                   "finished warps that wait outside of the processor's slots for older ones to leave",
                   "design: hardware frees slot and registers when a warp ends"),
      vector_width(this, "vector_width", 4, {1, 4},
                   "components a thread computes per cycle: 4 is a vec4 machine, 1 a scalar one",
                   "design: programs are vec4 instructions, issued one a cycle"),
      floating(this, "floating", "instructions with floating-point numbers, and moves", 4),
      integer(this, "integer", "instructions with integers", 4),
      conversion(this, "conversion", "conversions between kinds of numbers", 4),
      special(this, "special", "reciprocals, roots, logarithms, sines, divisions of integers, ...", 8),
      control(this, "control",
              "branches, loops, kills, ends of programs; what comes after a branch waits for its latency, after a kill "
              "only the end of its warp does",
              1),
      issue_scheduler(
          this, "issue_scheduler", options_of<Scheduler>(), 0,
          "which of the warps that are ready issues (pipelines in_order and collector): the oldest; each in "
          "turn; the one that issued last, then the oldest; each in turn of a few, while others wait for "
          "textures",
          "design; loose_round_robin: paper 002, section 3.2.3; greedy_then_oldest: Rogers et al. 2012; "
          "two_level: Gebhart et al. 2011"),
      active_warps(this, "active_warps", 8, {1, 64}, "warps among which the scheduler two_level chooses",
                   "Gebhart et al. 2011, section 3"),
      pipeline(this, "pipeline", options_of<Pipeline>(), 0,
               "how instructions go through: in_order (one a cycle, a scoreboard, ports for all), collector (banks of "
               "registers whose reads are collected), baseline (four stages that stall), squash (four stages, and what "
               "has to wait is fetched again)",
               "design; collector, baseline: paper 002, sections 3.2 and 3.1; squash: paper 000, section 2.2"),
      collector(this, "collector", "of the pipeline `collector`"),
      squash(this, "squash", "of the pipeline `squash`") {}

void ShaderCoreParameters::add_without_effect(WithoutEffect& found) const {
    const std::string reason = name() + ".pipeline is " + pipeline.value_text();
    if (pipeline.value_text() == Baseline::name || pipeline.value_text() == Squash::name)
        found.add(*this, reason, {&issue_scheduler, &active_warps});
    else if (issue_scheduler.value_text() != TwoLevel::name)
        found.add(*this, name() + ".issue_scheduler is " + issue_scheduler.value_text(), {&active_warps});
    if (pipeline.value_text() == Baseline::name)
        for (const ClassParameters* timing : {&floating, &integer, &conversion, &special, &control})
            found.add(*timing, reason, {&timing->interval}, {}, name() + ".");
    if (pipeline.value_text() == Squash::name) found.add(control, reason, {&control.interval}, {}, name() + ".");
    if (pipeline.value_text() != Squash::name) found.add(squash, reason, {}, {}, name() + ".");
    if (pipeline.value_text() != Collector::name) found.add(collector, reason, {}, {}, name() + ".");
}

}  // namespace models
