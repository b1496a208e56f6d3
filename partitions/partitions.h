// Partitions: which logical process runs on which rank and thread. They change speed, never a result.
//
// | name        | what it does                                                                                   |
// |-------------|------------------------------------------------------------------------------------------------|
// | single      | everything on worker 0                                                                         |
// | block       | consecutive processes to one worker, so that every worker has the same cost                    |
// | round_robin | process i to worker i mod workers                                                              |
// | balanced    | from the most costly process to the least, each to the worker with the least to do (default)   |
// | manual      | as a list of (name pattern, worker) says                                                       |
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/plan.h"

namespace partitions {

inline constexpr std::string_view default_partition = "balanced";

std::vector<std::string> names();        // but for manual, which needs a list
bool uses_costs(std::string_view name);  // false for a partition that does not look at them, or is unknown

// One line of a manual partition. In the pattern, * stands for any text: "fragment_processor[1*]".
struct Assignment {
    std::string pattern;
    int worker;  // rank * threads + thread
};

// Throws ConfigError: unknown name; no rank or thread; a list given to another partition than manual; a manual list
// whose worker does not exist, whose pattern fits no process, or which says nothing about a process. The first line
// that fits a process counts.
engine::Plan make_plan(std::string_view name, const engine::Graph& graph, int ranks, int threads,
                       std::span<const Assignment> manual = {});

}  // namespace partitions
