#include "engine/simulation.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstring>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "engine/events/tie_order.h"
#include "engine/scheduling/migration.h"
#include "engine/scheduling/run.h"
#include "engine/scheduling/stop_condition.h"
#include "engine/transport/collectives.h"

namespace engine {

namespace {

constexpr int trials_of_each = 3;
constexpr double first_stretch = 0.05, longest_stretch = 0.5;  // seconds from trials to the next ones
constexpr double plainly = 1.1;  // so much faster one worker must be: what disturbs a trial disturbs several more
constexpr Time most_latency = (never - end_of_time) / 2;  // the other half is for delays

void check_latency(const std::string& ends, Time latency) {
    if (latency < 1)
        throw ConfigError(ends + ": expected a latency of at least 1 tick, found " + std::to_string(latency));
    if (latency > most_latency)
        throw ConfigError(ends + ": expected a latency of at most " + std::to_string(most_latency) + " ticks, found " +
                          std::to_string(latency));
}

}  // namespace

Simulation::Simulation() = default;
Simulation::~Simulation() = default;

void Simulation::adopt(std::unique_ptr<LogicalProcess> process) {
    process->number_ = static_cast<int>(processes_.size());
    processes_.push_back(std::move(process));
}

void Simulation::mark_connected(const std::string& ends, Port& port) {
    if (port.connected()) throw ConfigError(ends + ": " + port.name() + " is connected already");
    port.label_->connected = true;
}

void Simulation::join(SingleOut& from, InPort& to, Time latency) {
    const std::string ends = from.name() + " -> " + to.name();
    check_latency(ends, latency);
    mark_connected(ends, from);
    mark_connected(ends, to);
    from.receiver_ = to.process_->number_;
    from.latency_ = latency;
    from.order_ = order::at(order::key(to.number_, 0), 0);
    channels_.push_back({&from, &to});
}

void Simulation::join_all(std::vector<FanOutPort*> from, std::vector<InPort*> to, Time latency) {
    if (from.empty() || to.empty()) throw ConfigError("a bundle of channels needs senders and receivers");
    const std::string ends = from[0]->name() + "... -> " + to[0]->name() + "...";
    check_latency(ends, latency);
    if (from.size() > order::most_senders)
        throw ConfigError(ends + ": expected at most " + std::to_string(order::most_senders) + " senders, found " +
                          std::to_string(from.size()));
    Bundle bundle{std::move(from), std::move(to), {}};
    for (InPort* port : bundle.to) {
        mark_connected(ends, *port);
        bundle.targets.push_back({port->process_->number_, order::key(port->number_, 0)});
    }
    std::uint32_t sender = 0;
    for (FanOutPort* port : bundle.from) {
        mark_connected(ends, *port);
        port->latency_ = latency;
        port->targets_ = bundle.targets.data();
        port->sender_ = sender++;
    }
    bundles_.push_back(std::move(bundle));
}

void Simulation::check_wiring() const {
    std::set<std::string> names;
    for (const auto& process : processes_) {
        if (!names.insert(process->name()).second)
            throw ConfigError(process->name() + ": two processes have this name");
        for (const Port* port : process->description_->ports)
            if (!port->connected()) throw ConfigError(port->name() + ": not connected");
        const std::size_t inputs = process->description_->inputs.size();
        if (inputs > order::most_ports)
            throw ConfigError(process->name() + ": expected at most " + std::to_string(order::most_ports) +
                              " inputs, found " + std::to_string(inputs));
    }
}

void Simulation::check_plan(const Plan& plan) const {
    if (plan.ranks != transport::size())
        throw ConfigError("the plan is for " + std::to_string(plan.ranks) + " ranks, but there are " +
                          std::to_string(transport::size()));
    if (plan.threads < 1) throw ConfigError("expected at least 1 thread, found " + std::to_string(plan.threads));
    if (plan.worker.empty()) return;
    if (plan.worker.size() != processes_.size())
        throw ConfigError("the plan is for " + std::to_string(plan.worker.size()) + " processes, but there are " +
                          std::to_string(processes_.size()));
    for (std::size_t i = 0; i < processes_.size(); ++i) {
        const int worker = plan.worker[i];
        if (worker < 0 || worker >= plan.ranks * plan.threads)
            throw ConfigError(processes_[i]->name() + ": expected a worker from 0 to " +
                              std::to_string(plan.ranks * plan.threads - 1) + ", found " + std::to_string(worker));
    }
}

void Simulation::permute_ties(std::uint64_t seed) {
    assert(!ties_are_ordered_);
    tie_seed_ = seed;
}

void Simulation::log_messages(Time from, Time to, std::size_t limit) {
    log_ = std::make_unique<MessageRecorders>(from, to, limit);
}

// Ports are served by number, so they get other numbers, here and where their messages come from.
void Simulation::order_ties() {
    if (std::exchange(ties_are_ordered_, true) || tie_seed_ == 0) return;
    std::vector<TieOrder> ties;
    ties.reserve(processes_.size());
    for (const auto& process : processes_) {
        LogicalProcess::Inputs& inputs = process->description_->inputs;
        const LogicalProcess::Inputs declared = inputs;
        const TieOrder& tie = ties.emplace_back(tie_seed_, process->number_, declared.size());
        for (std::size_t i = 0; i < declared.size(); ++i) inputs[static_cast<std::size_t>(tie.place[i])] = declared[i];
        process->sender_mask_ = static_cast<int>(tie.sender_mask);
    }
    const auto move = [&](InPort& port) {
        const TieOrder& tie = ties[static_cast<std::size_t>(port.process_->number_)];
        port.number_ = tie.place[static_cast<std::size_t>(port.number_)];
    };
    for (const Channel& channel : channels_) {
        move(*channel.to);
        channel.from->order_ = order::at(order::key(channel.to->number_, 0), 0);
    }
    for (Bundle& bundle : bundles_)
        for (std::size_t i = 0; i < bundle.to.size(); ++i) {
            InPort& port = *bundle.to[i];
            move(port);
            const auto mask = static_cast<std::uint32_t>(port.process_->sender_mask_);
            bundle.targets[i].key = order::key(port.number_, mask);
        }
}

// Neighbours of one kind mostly have the same inputs: one table of them stays in the cache.
void Simulation::share_inputs() {
    const LogicalProcess::Inputs* shared = nullptr;
    for (const auto& process : processes_) {
        const LogicalProcess::Inputs& inputs = process->description_->inputs;
        if (shared == nullptr || inputs != *shared) shared = &inputs;
        process->inputs_ = shared->data();
    }
}

RunReport Simulation::run(const Plan& plan, const RunOptions& options) {
    assert(options.measure_every > 0);
    assert(options.work_log == nullptr || plan.ranks * plan.threads == 1);
    check_wiring();
    check_plan(plan);
    order_ties();
    share_inputs();
    std::vector<int> ranks;
    for (std::size_t i = 0; i < processes_.size(); ++i)
        ranks.push_back(plan.worker.empty() ? 0 : plan.worker[i] / plan.threads);
    if (!rank_.empty()) Migration::move(*this, ranks);
    rank_ = ranks;
    transport::barrier();  // a rank that is missing is named
    auto guard = std::make_optional(transport::guard());
    const transport::Nodes nodes(options.share_memory);
    guard.reset();
    const std::unique_ptr<Cores> cores = options.pin ? std::make_unique<Cores>() : nullptr;
    const bool spin = nodes.have_cpus(plan.threads);
    const std::set<int> workers(plan.worker.begin(), plan.worker.end());
    const bool has_choice = plan.ranks == 1 && workers.size() > 1 && options.trial_seconds >= 0;
    RunReport report;
    WorkerGroup::run(plan.threads, spin, [&](WorkerGroup& group) {
        const RunSetting setting{options, nodes, cores.get(), spin, group};
        report = has_choice ? run_faster_way(plan, setting) : run_part(plan, setting, -1).report;
    });
    return report;
}

// Where windows hold too little work for what synchronising costs, one worker is faster than several. So both ways are
// tried in turn, and the one that does more events a second goes on for a stretch. The best trial of each counts, as
// any may be disturbed, and the first ones pay for cold caches and for threads that are not awake. What a machine does
// changes (geometry comes before fragments), and so does the host: after a stretch both are tried again. The first
// stretches are short, as the beginning says least about the rest.
RunReport Simulation::run_faster_way(const Plan& plan, const RunSetting& setting) {
    const Plan one{1, plan.threads, {}};
    RunReport report;
    for (double stretch = first_stretch;; stretch = std::min(2 * stretch, longest_stretch)) {
        double best_of_one = 0, best_of_all = 0;  // events a second
        for (int trial = 0; trial < 2 * trials_of_each; ++trial) {
            const bool all = trial % 2 == 1;
            const Part part = run_part(all ? plan : one, setting, setting.options.trial_seconds);
            report.append(part.report);
            if (part.report.stopped_by != StopCondition::end_of_trial) return report;
            double& best = all ? best_of_all : best_of_one;
            best = std::max(best, part.rate);
        }
        // With a seed for jitter rates mean nothing, and the more workers the better the test.
        const bool all = setting.options.fuzz_seed != 0 || plainly * best_of_all >= best_of_one;
        const Part part = run_part(all ? plan : one, setting, stretch);
        report.append(part.report);
        report.sequential += all ? 0 : 1;
        if (part.report.stopped_by != StopCondition::end_of_trial) return report;
    }
}

// From where the simulation is to the end, or until it is stopped.
Simulation::Part Simulation::run_part(const Plan& plan, const RunSetting& setting, double seconds) {
    Part part;
    RunReport& report = part.report;
    auto guard = std::make_optional(transport::guard());
    {
        Run run(*this, plan, setting, seconds);
        guard.reset();
        in_flight_.clear();  // the run has it
        report = run();
        part.rate = run.rate(report);
        if (report.stopped_at != never) in_flight_ = run.take_in_flight();
        guard.emplace(transport::guard());
    }
    guard.reset();
    const bool stopped = report.stopped_at != never;
    now_ = stopped ? report.stopped_at : report.end;
    if (stopped && report.stopped_by == 0 && setting.options.until > end_of_time)
        throw ConfigError("simulated time is used up: it ends at " + std::to_string(end_of_time) +
                          " ticks, and there is more to do");
    // Nothing is left to happen before now_ anywhere, so nothing may be sent before it either.
    for (std::size_t i = 0; i < processes_.size(); ++i) {
        processes_[i]->now_ = now_;
        if (!stopped || rank_[i] != transport::rank()) processes_[i]->wake_ = never;
    }
    return part;
}

Time Simulation::window_length() const {
    Time least = longest_window_;
    for (const Channel& channel : channels_) least = std::min(least, channel.from->lookahead());
    for (const Bundle& bundle : bundles_)
        for (const FanOutPort* port : bundle.from) least = std::min(least, port->lookahead());
    return least;
}

std::vector<std::uint64_t> Simulation::collect_counters() const {
    std::vector<std::uint64_t> mine;
    for (const auto& process : processes_)
        for (const CounterInfo& counter : process->counters().all()) mine.push_back(*counter.value);
    const std::vector<std::vector<std::byte>> parts = transport::gather(std::as_bytes(std::span(mine)));
    if (parts.size() < 2) return mine;
    std::vector<std::uint64_t> values;
    for (std::size_t i = 0; i < processes_.size(); ++i) {
        const std::size_t count = processes_[i]->counters().all().size(), at = values.size();
        const std::size_t rank = rank_.empty() ? 0 : static_cast<std::size_t>(rank_[i]);
        values.resize(at + count);
        std::memcpy(values.data() + at, parts[rank].data() + at * sizeof(std::uint64_t), count * sizeof(std::uint64_t));
    }
    return values;
}

Graph Simulation::graph() const {
    Graph graph;
    for (const auto& process : processes_)
        graph.processes.push_back({process->name(), process->kind(), process->cost_hint()});
    for (const Channel& channel : channels_)
        graph.channels.push_back(
            {channel.from->process_->number_, channel.to->process_->number_, channel.from->lookahead(), 1});
    const auto numbers = [](const auto& ports) {
        std::vector<int> list;
        list.reserve(ports.size());
        for (const auto* port : ports) list.push_back(port->process().number_);
        return list;
    };
    for (const Bundle& bundle : bundles_) {
        Time least = never;
        for (const FanOutPort* port : bundle.from) least = std::min(least, port->lookahead());
        graph.bundles.push_back({numbers(bundle.from), numbers(bundle.to), least, {}});
    }
    return graph;
}

std::vector<NamedChannel> Simulation::named_channels() const {
    std::vector<NamedChannel> named;
    const auto add = [&](const OutPort& from, const InPort& to) {
        named.push_back({from.name(), to.name(), from.latency_, from.least_delay_});
    };
    for (const Channel& channel : channels_) add(*channel.from, *channel.to);
    for (const Bundle& bundle : bundles_)
        for (const FanOutPort* port : bundle.from) add(*port, *bundle.to.front());
    return named;
}

}  // namespace engine
