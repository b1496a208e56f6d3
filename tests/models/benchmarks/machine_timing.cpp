#include "tests/models/benchmarks/machine_timing.h"

#include <algorithm>

#include "engine/error.h"
#include "engine/instruments/profile.h"
#include "models/machine.h"
#include "partitions/partitions.h"

namespace models::benchmarks {

namespace {

void add(const engine::RunReport& report, engine::RunReport& sum) {
    sum.end = report.end;
    sum.messages += report.messages;
    sum.steps += report.steps;
    sum.windows += report.windows;
    sum.window_length = report.window_length;
    sum.seconds += report.seconds;
    sum.workers.resize(report.workers.size());
    for (std::size_t i = 0; i < report.workers.size(); ++i) {
        sum.workers[i].work += report.workers[i].work;
        sum.workers[i].messages += report.workers[i].messages;
        sum.workers[i].wait += report.workers[i].wait;
    }
    sum.profile.add(report.profile);
}

Timing run(const Workload& workload, const MachineParameters& parameters, const engine::Plan& plan,
           const engine::RunOptions& options) {
    engine::Simulation simulation;
    Machine machine(simulation, parameters);
    Timing timing;
    for (const Frame& frame : workload.frames) {
        machine.load_frame(workload.trace, frame);
        machine.start();
        const engine::Time begin = simulation.now();
        const engine::RunReport report = simulation.run(plan, options);
        machine.end_frame();
        timing.cycles += machine.cycles(report.end - begin);
        timing.seconds += report.seconds;
        add(report, timing.report);
    }
    const std::vector<std::uint64_t> counters = simulation.collect_counters();
    std::size_t i = 0;
    for (const auto& process : simulation.processes())
        for (const engine::CounterInfo& counter : process->counters().all()) {
            const std::uint64_t value = counters.empty() ? 0 : counters.at(i);
            timing.digest = (timing.digest ^ value) * 0x9e3779b97f4a7c15U;
            if (counter.name == "thread_instructions") timing.thread_instructions += value;
            if (counter.name == "warp_instructions") timing.warp_instructions += value;
            ++i;
        }
    return timing;
}

}  // namespace

const Timing& Way::median() const {
    std::vector<const Timing*> sorted;
    for (const Timing& timing : timings) sorted.push_back(&timing);
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>((sorted.size() - 1) / 2);
    std::nth_element(sorted.begin(), middle, sorted.end(),
                     [](const Timing* a, const Timing* b) { return a->seconds < b->seconds; });
    return **middle;
}

Measurement measure(const Workload& workload, const MachineParameters& parameters, const engine::Ranks& ranks,
                    const std::vector<int>& threads, int repeat) {
    const engine::Plan one_worker{ranks.size(), 1, {}};
    const Timing first = run(workload, parameters, one_worker, {.measure_every = 7});
    Measurement measurement;
    {
        engine::Simulation simulation;
        const Machine machine(simulation, parameters);
        measurement.graph = simulation.graph();
    }
    engine::weigh(measurement.graph, first.report.profile);
    measurement.ways.push_back({0, {}});
    for (const int number : threads) measurement.ways.push_back({number, {}});
    for (int i = 0; i < repeat; ++i)
        for (Way& way : measurement.ways) {
            const engine::Plan plan =
                way.threads == 0 ? one_worker
                                 : partitions::make_plan("balanced", measurement.graph, ranks.size(), way.threads);
            way.timings.push_back(run(workload, parameters, plan, {}));
            if (ranks.any(ranks.rank() == 0 && way.timings.back().digest != first.digest))
                throw engine::InternalError(workload.name + ": a run in another way had another result");
        }
    return measurement;
}

std::vector<KindCost> kind_costs(const engine::Graph& graph, const engine::Profile& profile) {
    std::vector<KindCost> costs;
    for (std::size_t i = 0; i < graph.processes.size(); ++i) {
        const std::string& kind = graph.processes[i].kind;
        auto cost = std::find_if(costs.begin(), costs.end(), [&](const KindCost& k) { return k.kind == kind; });
        if (cost == costs.end()) cost = costs.insert(cost, KindCost{kind});
        const engine::Profile::Process& process = profile.processes.at(i);
        ++cost->processes;
        cost->seconds += process.seconds;
        cost->largest_seconds = std::max(cost->largest_seconds, process.seconds);
        cost->messages += process.messages;
    }
    std::stable_sort(costs.begin(), costs.end(), [](const auto& a, const auto& b) { return a.seconds > b.seconds; });
    return costs;
}

}  // namespace models::benchmarks
