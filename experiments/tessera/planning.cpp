#include "experiments/tessera/planning.h"

#include <algorithm>
#include <numeric>

#include "engine/patience.h"
#include "engine/profile.h"
#include "partitions/links.h"
#include "partitions/partitions.h"

namespace experiments {

namespace {

constexpr int profiled_runs = 3, verifying_runs = 7;
constexpr double verifying_seconds = 10;  // where runs are slow there are fewer
constexpr int most_workers = 256;

engine::Plan balanced(const engine::Graph& graph, int ranks, int threads) {
    return partitions::make_plan("balanced", graph, ranks, threads);
}

// Of several runs on one worker the one that took least: the others were disturbed more.
void profile(const PlanRequest& request, const TrialFrame& frame, const engine::Ranks& ranks, PlanReport& report) {
    const auto single = [](const engine::Graph& /*graph*/) { return engine::Plan{}; };
    for (int i = 0; i < profiled_runs; ++i) {
        engine::WorkLog log;
        Trial trial = trial_run(frame, ranks, single, request.windows, {.measure_every = 1, .work_log = &log});
        partitions::Work work = partitions::evened(log, trial.graph.processes.size());
        if (i > 0 && work.total() >= report.work.total()) continue;
        report.work = std::move(work);
        report.graph = std::move(trial.graph);
        report.window_length = trial.report.window_length;
        engine::weigh(report.graph, trial.report.profile);
    }
    const std::vector<double> costs = report.work.by_process(report.graph.processes.size());
    for (std::size_t i = 0; i < costs.size(); ++i) report.graph.processes[i].cost = costs[i];
}

PlanOutcome outcome_of(const PlanReport& report, engine::Plan plan) {
    PlanOutcome outcome;
    outcome.shares.resize(static_cast<std::size_t>(plan.ranks * plan.threads));
    double total = 0;
    for (const engine::Graph::Process& process : report.graph.processes) total += process.cost;
    for (std::size_t i = 0; i < plan.worker.size(); ++i)
        outcome.shares[static_cast<std::size_t>(plan.worker[i])] +=
            total > 0 ? report.graph.processes[i].cost / total : 0;
    outcome.balance =
        *std::max_element(outcome.shares.begin(), outcome.shares.end()) * static_cast<double>(outcome.shares.size());
    const partitions::Cut cut = partitions::cut_of(report.graph, plan);
    outcome.lookahead = cut.lookahead;
    outcome.messages_share = cut.all_messages > 0 ? cut.messages / cut.all_messages : 0;
    double messages = 0;
    for (const partitions::Work::Entry& entry : report.work.entries) messages += static_cast<double>(entry.messages);
    const auto windows = static_cast<double>(std::max<std::size_t>(1, report.work.windows.size()));
    outcome.messages = outcome.messages_share * messages / windows;
    outcome.seconds = partitions::predicted_seconds(report.work, report.graph, report.window_length, plan, report.sync);
    outcome.speedup = outcome.seconds > 0 ? report.work.total() / outcome.seconds : 1;
    outcome.plan = std::move(plan);
    return outcome;
}

// In turn, so that both meet the same disturbances.
Measured measure(const PlanRequest& request, const TrialFrame& frame, const engine::Ranks& ranks,
                 const engine::Plan& two) {
    const auto seconds = [&](const engine::Plan& plan) {
        const auto same = [&](const engine::Graph& /*graph*/) { return plan; };
        return trial_run(frame, ranks, same, request.windows, {.trial_seconds = -1}).report.seconds;
    };
    const engine::Clock::time_point start = engine::Clock::now();
    Measured best{seconds({}), seconds(two)};
    for (int i = 1; i < verifying_runs && engine::seconds_since(start) < verifying_seconds; ++i) {
        best.one = std::min(best.one, seconds({}));
        best.two = std::min(best.two, seconds(two));
    }
    return best;
}

}  // namespace

PlanReport make_report(const PlanRequest& request, const TrialFrame& frame, const engine::Ranks& ranks) {
    PlanReport report;
    report.frame = frame.trace.frame_number(frame.position);
    profile(request, frame, ranks, report);
    report.sync = engine::measure_sync_cost();
    report.chosen = outcome_of(report, balanced(report.graph, request.ranks, request.workers / request.ranks));
    for (int workers = 1; workers <= most_workers; workers *= 2)
        report.table.push_back(outcome_of(report, balanced(report.graph, 1, workers)));
    report.critical_seconds = partitions::critical_path(report.work, report.graph, report.window_length);
    if (!request.verify) return report;
    report.two = report.table[1];
    report.measured = measure(request, frame, ranks, report.two.plan);
    return report;
}

}  // namespace experiments
