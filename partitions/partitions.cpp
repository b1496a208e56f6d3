#include "partitions/partitions.h"

#include <algorithm>
#include <iterator>

#include "engine/error.h"
#include "engine/parameter.h"
#include "partitions/balanced.h"

namespace partitions {

using engine::ConfigError;
using engine::Graph;
using engine::Plan;

namespace {

using Manual = std::span<const Assignment>;

void single(const Graph& graph, Plan& plan, Manual /*manual*/) {
    plan.worker.assign(graph.processes.size(), 0);
}

// Worker k gets the processes whose middle lies in the k-th part of the total cost.
void block(const Graph& graph, Plan& plan, Manual /*manual*/) {
    const int workers = plan.ranks * plan.threads;
    double total = 0, before = 0;
    for (const Graph::Process& process : graph.processes) total += process.cost;
    for (const Graph::Process& process : graph.processes) {
        const double middle = total > 0 ? (before + process.cost / 2) / total : 0;
        plan.worker.push_back(std::clamp(static_cast<int>(middle * workers), 0, workers - 1));
        before += process.cost;
    }
}

void round_robin(const Graph& graph, Plan& plan, Manual /*manual*/) {
    const int workers = plan.ranks * plan.threads;
    for (int i = 0; i < static_cast<int>(graph.processes.size()); ++i) plan.worker.push_back(i % workers);
}

void balanced(const Graph& graph, Plan& plan, Manual /*manual*/) {
    plan.worker = balance(graph, plan.ranks * plan.threads);
}

bool fits(std::string_view pattern, std::string_view name) {
    if (pattern.empty()) return name.empty();
    if (pattern.front() != '*')
        return !name.empty() && pattern.front() == name.front() && fits(pattern.substr(1), name.substr(1));
    for (std::size_t skipped = 0; skipped <= name.size(); ++skipped)
        if (fits(pattern.substr(1), name.substr(skipped))) return true;
    return false;
}

void check_assignment(const Assignment& line, const Graph& graph, int workers) {
    if (line.worker < 0 || line.worker >= workers)
        throw ConfigError("manual partition, \"" + line.pattern + "\": expected a worker from 0 to " +
                          std::to_string(workers - 1) + ", found " + std::to_string(line.worker));
    std::vector<std::string> processes;
    for (const Graph::Process& process : graph.processes) {
        if (fits(line.pattern, process.name)) return;
        processes.push_back(process.name);
    }
    const std::string hint = engine::nearest(line.pattern, processes);
    throw ConfigError("manual partition: no process fits \"" + line.pattern + "\"" +
                      (hint.empty() ? "" : "; did you mean \"" + hint + "\"?"));
}

void manual(const Graph& graph, Plan& plan, Manual lines) {
    for (const Assignment& line : lines) check_assignment(line, graph, plan.ranks * plan.threads);
    for (const Graph::Process& process : graph.processes) {
        const auto line = std::find_if(lines.begin(), lines.end(),
                                       [&](const Assignment& a) { return fits(a.pattern, process.name); });
        if (line == lines.end())
            throw ConfigError("manual partition: no line fits process \"" + process.name +
                              "\"; a last line with the pattern \"*\" fits all");
        plan.worker.push_back(line->worker);
    }
}

struct Partition {
    std::string_view name;
    void (*make)(const Graph&, Plan&, Manual);
    bool uses_costs;
};
constexpr Partition partitions[] = {{"single", single, false},
                                    {"block", block, true},
                                    {"round_robin", round_robin, false},
                                    {"balanced", balanced, true},
                                    {"manual", manual, false}};

const Partition* find(std::string_view name) {
    const auto* found = std::find_if(std::begin(partitions), std::end(partitions),
                                     [&](const Partition& partition) { return partition.name == name; });
    return found == std::end(partitions) ? nullptr : found;
}

}  // namespace

std::vector<std::string> names() {
    std::vector<std::string> list;
    for (const Partition& partition : partitions)
        if (partition.make != manual) list.emplace_back(partition.name);
    return list;
}

bool uses_costs(std::string_view name) {
    const Partition* const found = find(name);
    return found != nullptr && found->uses_costs;
}

Plan make_plan(std::string_view name, const Graph& graph, int ranks, int threads, Manual lines) {
    if (ranks < 1 || threads < 1)
        throw ConfigError("expected at least 1 rank and 1 thread, found " + std::to_string(ranks) + " and " +
                          std::to_string(threads));
    if (!lines.empty() && name != "manual")
        throw ConfigError("a list of workers needs the partition \"manual\", found \"" + std::string(name) + "\"");
    const Partition* const found = find(name);
    if (found == nullptr) {
        std::string known;
        for (const std::string& each : names()) known += " " + each;
        const std::string hint = engine::nearest(name, names());
        throw ConfigError("partition: expected one of" + known + ", found \"" + std::string(name) + "\"" +
                          (hint.empty() ? "" : "; did you mean \"" + hint + "\"?"));
    }
    Plan plan{ranks, threads, {}};
    found->make(graph, plan, lines);
    return plan;
}

}  // namespace partitions
