// How `tessera plan` says what it found out.
#pragma once

#include <string>

#include "experiments/tessera/planning.h"

namespace experiments {

std::string plan_text(const PlanRequest& request, const PlanReport& report);
std::string plan_json(const PlanRequest& request, const PlanReport& report);

// "raster, cluster[0-3,7]": processes of one kind together.
std::string short_list(const engine::Graph& graph, const std::vector<int>& processes);

}  // namespace experiments
