#include "experiments/tessera/planning.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>

#include "engine/error.h"
#include "engine/instruments/profile.h"
#include "engine/threads/back_off.h"
#include "partitions/links.h"
#include "partitions/partitions.h"

namespace experiments {

namespace {

constexpr int least_runs = 3;  // of which the least times count: one run alone has all that disturbed it
constexpr int most_runs = 25;
constexpr double most_seconds = 5;  // where runs are slow there are fewer
constexpr int most_workers = 256;

engine::Plan balanced(const engine::Graph& graph, int ranks, int threads) {
    return partitions::make_plan("balanced", graph, ranks, threads);
}

PlanOutcome outcome_of(const PlanReport& report, engine::Plan plan) {
    PlanOutcome outcome;
    outcome.shares.resize(static_cast<std::size_t>(plan.ranks) * static_cast<std::size_t>(plan.threads));
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

// How long the windows take on this plan, undisturbed: of every stretch between two windows that are measured, which
// are the same ones in every run, the least of several runs counts.
class Stopwatch {
  public:
    Stopwatch(const PlanRequest& request, const TrialFrame& frame, const engine::Ranks& ranks, engine::Plan plan)
        : request_(request),
          frame_(frame),
          ranks_(ranks),
          plan_(std::move(plan)) {}

    void run() {
        engine::Timeline timeline(most_slices);
        const auto same = [&](const engine::Graph& /*graph*/) { return plan_; };
        trial_run(frame_, ranks_, same, request_.windows,
                  {.trial_seconds = -1, .pin = true, .measure_every = stretch, .timeline = &timeline});
        std::size_t i = 0;
        std::int64_t last = 0;
        for (const engine::Timeline::Slice& slice : timeline.lanes.at(0).slices) {
            if (slice.what != engine::Timeline::window) continue;
            const double took = static_cast<double>(slice.end - last) * 1e-9;
            if (i > least_.size()) least_.push_back(took);
            if (i > 0) least_[i - 1] = std::min(least_[i - 1], took);
            last = slice.end;
            ++i;
        }
    }
    static constexpr std::size_t least_windows() { return (least_stretches + 1) * stretch; }
    // Of so many windows of which most were timed; none if too few were for that to tell anything.
    std::optional<double> seconds(std::size_t windows) const {
        if (least_.size() < least_stretches) return {};
        const double timed = static_cast<double>(least_.size()) * stretch;
        return std::accumulate(least_.begin(), least_.end(), 0.0) * static_cast<double>(windows) / timed;
    }

  private:
    static constexpr unsigned stretch = 127;  // windows
    static constexpr std::size_t least_stretches = 4;
    static constexpr std::size_t most_slices = 4'000'000;  // more than fit into the memory of the profile

    const PlanRequest& request_;
    const TrialFrame& frame_;
    const engine::Ranks& ranks_;
    const engine::Plan plan_;
    std::vector<double> least_;  // of every stretch
};

// Calls f() as often as is asked for, else often, but not for too long. Returns how often that was.
template <class F>
int repeat(const PlanRequest& request, F f) {
    const engine::Clock::time_point start = engine::Clock::now();
    const auto goes_on = [&](int done) {
        if (request.repetitions > 0) return done < request.repetitions;
        return done < least_runs || (done < most_runs && engine::seconds_since(start) < most_seconds);
    };
    int done = 0;
    for (; goes_on(done); ++done) f();
    return done;
}

// Every cost by itself. The cores that a virtual machine is given are near each other or not, and that changes while it
// runs: the median of measurements over some time tells what is usual.
engine::SyncCost median(std::vector<engine::SyncCost> costs) {
    const auto median_of = [&](double engine::SyncCost::* field) {
        const auto middle = costs.begin() + static_cast<std::ptrdiff_t>(costs.size() / 2);
        std::nth_element(costs.begin(), middle, costs.end(),
                         [field](const auto& a, const auto& b) { return a.*field < b.*field; });
        return (*middle).*field;
    };
    return {median_of(&engine::SyncCost::window), median_of(&engine::SyncCost::link),
            median_of(&engine::SyncCost::batch), median_of(&engine::SyncCost::message)};
}

// What everything takes on one worker. Looking at the clock after every process holds the processor up for longer than
// the look takes, so how long all takes together is measured in runs without that.
void profile(const PlanRequest& request, const TrialFrame& frame, const engine::Ranks& ranks, PlanReport& report) {
    const auto single = [](const engine::Graph& /*graph*/) { return engine::Plan{}; };
    Stopwatch undisturbed(request, frame, ranks, {});
    engine::WorkLog least;
    std::vector<engine::SyncCost> sync;
    report.repetitions = repeat(request, [&] {
        sync.push_back(engine::measure_sync_cost());
        undisturbed.run();
        engine::WorkLog log;
        Trial trial =
            trial_run(frame, ranks, single, request.windows, {.pin = true, .measure_every = 1, .work_log = &log});
        if (!least.windows.empty()) return partitions::take_least(least, log);
        least = std::move(log);
        report.graph = std::move(trial.graph);
        report.channels = group_channels(trial.channels);
        report.gpu_cycle = trial.gpu_cycle;
        report.window_length = trial.report.window_length;
        report.whole_frame = trial.report.stopped_at == engine::never;
        engine::weigh(report.graph, trial.report.profile);
    });
    report.sync = median(std::move(sync));
    report.work = partitions::in_seconds(least);
    if (const std::optional<double> seconds = undisturbed.seconds(report.work.windows.size())) {
        report.measuring = report.work.total() - *seconds;
        report.work.scale_to(*seconds);
    }
    const std::vector<double> costs = report.work.by_process(report.graph.processes.size());
    for (std::size_t i = 0; i < costs.size(); ++i) report.graph.processes[i].cost = costs[i];
    // Finding causes takes time, so the run in which they are found is not one of those that are measured.
    engine::WorkLog causes;
    causes.with_causes = true;
    trial_run(frame, ranks, single, request.windows, {.measure_every = 1, .work_log = &causes});
    report.path = partitions::critical_path(report.work, causes.causes, costs.size());
}

// In turn, so that both meet the same disturbances.
Measured measure(const PlanRequest& request, const TrialFrame& frame, const engine::Ranks& ranks,
                 const engine::Plan& two, std::size_t windows) {
    Stopwatch one_worker(request, frame, ranks, {}), two_workers(request, frame, ranks, two);
    repeat(request, [&] {
        one_worker.run();
        two_workers.run();
    });
    const std::optional<double> one = one_worker.seconds(windows), both = two_workers.seconds(windows);
    if (!one || !both)
        throw engine::ConfigError("--verify: expected at least " + std::to_string(Stopwatch::least_windows()) +
                                  " windows with work, found " + std::to_string(windows) + ", too few to be timed");
    return {*one, *both};
}

}  // namespace

std::vector<ChannelGroup> group_channels(const std::vector<engine::NamedChannel>& channels) {
    const auto without_indices = [](const std::string& name) {
        std::string text;
        for (std::size_t i = 0; i < name.size(); ++i) {
            if (name[i] == '[') i = name.find(']', i);
            if (name[i] != ']') text += name[i];
        }
        return text;
    };
    std::map<std::tuple<engine::Time, std::string, std::string, engine::Time>, ChannelGroup> groups;
    for (const engine::NamedChannel& channel : channels) {
        const std::string from = without_indices(channel.from), to = without_indices(channel.to);
        ++groups
              .try_emplace({channel.lookahead(), from, to, channel.latency},
                           ChannelGroup{from, to, channel.latency, channel.least_delay, 0})
              .first->second.channels;
    }
    std::vector<ChannelGroup> sorted;
    for (const auto& [key, group] : groups) sorted.push_back(group);
    return sorted;
}

std::vector<KindShare> kind_shares(const engine::Graph& graph, const partitions::Work& work,
                                   const partitions::CriticalPath& path) {
    const std::vector<double> seconds = work.by_process(graph.processes.size());
    const double total = work.total() > 0 ? work.total() : 1;
    std::vector<KindShare> kinds;
    for (std::size_t i = 0; i < seconds.size(); ++i) {
        const engine::Graph::Process& process = graph.processes[i];
        auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const auto& k) { return k.kind == process.kind; });
        if (kind == kinds.end()) kind = kinds.insert(kind, {process.kind, 0, 0, process.name, 0, 0});
        const double share = seconds[i] / total;
        ++kind->processes;
        kind->share += share;
        if (path.seconds > 0) kind->path_share += path.by_process[i] / path.seconds;
        if (share <= kind->largest_share) continue;
        kind->largest = process.name;
        kind->largest_share = share;
    }
    std::stable_sort(kinds.begin(), kinds.end(), [](const auto& a, const auto& b) { return a.share > b.share; });
    return kinds;
}

PlanReport make_report(const PlanRequest& request, const TrialFrame& frame, const engine::Ranks& ranks) {
    PlanReport report;
    report.frame = frame.frame.number;
    profile(request, frame, ranks, report);
    report.chosen = outcome_of(report, balanced(report.graph, request.ranks, request.workers / request.ranks));
    for (int workers = 1; workers <= most_workers; workers *= 2)
        report.table.push_back(outcome_of(report, balanced(report.graph, 1, workers)));
    report.conservative_seconds = partitions::conservative_bound(report.work, report.graph, report.window_length);
    report.kinds = kind_shares(report.graph, report.work, report.path);
    if (!request.verify) return report;
    report.two = report.table[1];
    report.measured = measure(request, frame, ranks, report.two.plan, report.work.windows.size());
    return report;
}

}  // namespace experiments
