#include "models/core/shader_core_parameters.h"

#include "models/core/pipelines/pipeline.h"

namespace models {

ShaderCoreParameters::ShaderCoreParameters(ParameterGroup* parent, std::string_view name, std::string_view doc,
                                           const Defaults& defaults)
    : ParameterGroup(parent, name, doc),
      count(this, "count", defaults.count, {defaults.least, defaults.most}, defaults.count_doc, defaults.count_source),
      warps(this, "warps", defaults.warps, {1, 64}, "warps resident in a processor", "design"),
      groups_per_warp(this, "groups_per_warp", defaults.groups_per_warp, {1, 16}, defaults.group_doc,
                      defaults.group_source),
      export_warps(this, "export_warps", 4, {0, 64},
                   "finished warps that wait outside of the processor's slots for older ones to leave",
                   "design: hardware frees slot and registers when a warp ends"),
      vector_width(this, "vector_width", 4, {1, 4},
                   "components a thread computes per cycle: 4 is a vec4 machine, 1 a scalar one",
                   "design: programs are vec4 instructions, issued one a cycle"),
      alu_latency(this, "alu_latency", {4}, {{1}, {256}}, "cycles until a simple operation's result can be used",
                  "design"),
      special_latency(this, "special_latency", {8}, {{1}, {256}},
                      "cycles until the result of a reciprocal, root, logarithm, ... can be used", "design"),
      special_interval(this, "special_interval", {1}, {{1}, {64}}, "cycles between two special operations", "design"),
      issue_policy(this, "issue_policy", {{"oldest", IssuePolicy::oldest}, {"round_robin", IssuePolicy::round_robin}},
                   IssuePolicy::oldest, "which ready warp issues: the oldest, or each in turn (pipeline in_order)",
                   "design"),
      pipeline(this, "pipeline", options_of<Pipeline>(), 0,
               "how instructions go through: in_order (one a cycle, a scoreboard, ports for all), collector (banks of "
               "registers whose reads are collected), baseline (four stages that stall), squash (four stages, and what "
               "has to wait is fetched again)",
               "design; collector, baseline: paper 002, sections 3.2 and 3.1; squash: paper 000, section 2.2"),
      collector(this, "collector", "of the pipeline `collector`"),
      squash(this, "squash", "of the pipeline `squash`") {}

void ShaderCoreParameters::add_without_effect(WithoutEffect& found) const {
    const std::string reason = name() + ".pipeline is " + pipeline.value_text();
    if (pipeline.value_text() != InOrder::name) found.add(*this, reason, {&issue_policy, &special_interval});
    if (pipeline.value_text() != Squash::name) found.add(squash, reason, {}, {}, name() + ".");
    if (pipeline.value_text() != Collector::name) found.add(collector, reason, {}, {}, name() + ".");
}

}  // namespace models
