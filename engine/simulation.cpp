#include "engine/simulation.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <string>

#include "engine/worker.h"

namespace engine {

Simulation::Simulation() = default;
Simulation::~Simulation() = default;

void Simulation::adopt(std::unique_ptr<LogicalProcess> process) {
    process->number_ = static_cast<int>(processes_.size());
    processes_.push_back(std::move(process));
}

void Simulation::join(OutPort& from, InPort& to, Time latency) {
    const std::string ends = from.name() + " -> " + to.name();
    if (latency < 1)
        throw ConfigError(ends + ": expected a latency of at least 1 tick, found " + std::to_string(latency));
    for (const Port* port : {static_cast<const Port*>(&from), static_cast<const Port*>(&to)})
        if (port->connected()) throw ConfigError(ends + ": " + port->name() + " is connected already");
    from.connected_ = to.connected_ = true;
    from.receiver_ = to.process_;
    from.latency_ = latency;
    from.order_ = first_order(to.number_);
    channels_.push_back({&from, &to});
}

void Simulation::check_wiring() const {
    std::set<std::string> names;
    for (const auto& process : processes_) {
        if (!names.insert(process->name()).second)
            throw ConfigError(process->name() + ": two processes have this name");
        for (const Port* port : process->ports_)
            if (!port->connected()) throw ConfigError(port->name() + ": not connected");
    }
}

Time Simulation::window() const {
    Time least = never;
    for (const Channel& channel : channels_) least = std::min(least, channel.from->lookahead());
    return least;
}

RunReport Simulation::run(const Plan& /*plan*/, const RunOptions& /*options*/) {
    check_wiring();
    const auto start = std::chrono::steady_clock::now();
    Worker worker;
    for (const auto& process : processes_) worker.own(process.get());
    RunReport report;
    for (Time next = worker.next_event(); next < never; next = worker.next_event()) {
        worker.advance(next + std::min(window(), never - next));
        ++report.windows;
    }
    for (const auto& process : processes_) now_ = std::max(now_, process->now_);
    for (const auto& process : processes_) {
        process->now_ = now_;
        report.messages += process->messages_;
        report.steps += process->steps_;
        if (!process->unfinished().empty()) throw InternalError(process->name() + ": " + process->unfinished());
    }
    report.end = now_;
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return report;
}

std::vector<std::uint64_t> Simulation::collect_counters() const {
    std::vector<std::uint64_t> values;
    for (const auto& process : processes_)
        for (const CounterInfo& counter : process->counters().all()) values.push_back(*counter.value);
    return values;
}

Graph Simulation::graph() const {
    Graph graph;
    for (const auto& process : processes_)
        graph.processes.push_back({process->name(), process->kind(), process->cost_hint()});
    for (const Channel& channel : channels_)
        graph.channels.push_back(
            {channel.from->process_->number_, channel.to->process_->number_, channel.from->lookahead()});
    return graph;
}

}  // namespace engine
