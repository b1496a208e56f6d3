// Parameters of the processors of shader programs and of their texture units.
#pragma once

#include <string_view>

#include "models/base/clocks.h"

namespace models {

enum class IssuePolicy : std::uint8_t { oldest, round_robin };

struct ShaderCoreParameters : ParameterGroup {
    struct Defaults {
        int count, least, most, warps, groups_per_warp;
        std::string_view count_doc, group_doc, count_source, group_source;
    };
    ShaderCoreParameters(ParameterGroup* parent, std::string_view name, std::string_view doc, const Defaults& defaults);
    Parameter<int> count;
    Parameter<int> warps;
    Parameter<int> groups_per_warp;
    Parameter<int> export_warps;
    Parameter<int> vector_width;
    Parameter<Cycles> alu_latency;
    Parameter<Cycles> special_latency;
    Parameter<Cycles> special_interval;
    Choice<IssuePolicy> issue_policy;
};

struct TextureUnitParameters : ParameterGroup {
    using ParameterGroup::ParameterGroup;
    Parameter<int> accesses{
        this, "accesses", 16, {1, 256}, "texture accesses of quads (or vertices) in flight in the unit", "design"};
    Parameter<int> blocks_per_cycle{
        this,
        "blocks_per_cycle",
        4,
        {1, 64},
        "lines looked up per cycle for one access; a bilinear quad touches up to 4, a trilinear one up to 8",
        "Arm Valhall performance guide: one bilinear quad a cycle, trilinear at half rate"};
    Parameter<Cycles> filter_latency{this,
                                     "filter_latency",
                                     {8},
                                     {{0}, {256}},
                                     "cycles from the last line of an access to the filtered colour in its register",
                                     "design"};
};

}  // namespace models
