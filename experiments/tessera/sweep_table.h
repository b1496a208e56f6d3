// DIR/points.csv: a line a point of a sweep, with its name, machine, workload, the settings that vary, state, seconds,
// exit code and message. Read by experiments/python/tessera/sweep.py.
#pragma once

#include <string>
#include <vector>

#include "experiments/tessera/point_state.h"
#include "io/sweep_file.h"

namespace experiments {

// `states`: of all points, in their order.
std::string sweep_table(const io::Sweep& sweep, const std::vector<PointState>& states);

}  // namespace experiments
