// What a run has measured on this rank.

#include <algorithm>
#include <cassert>
#include <cstddef>

#include "engine/scheduling/run.h"

namespace engine {

void Run::set_up_meters() {
    if (options_.timeline != nullptr) options_.timeline->lanes.resize(workers_.size());
    for (std::size_t thread = 0; thread < workers_.size(); ++thread) {
        if (workers_[thread] == nullptr) continue;
        Timeline::Lane* const lane = options_.timeline == nullptr ? nullptr : &options_.timeline->lanes[thread];
        workers_[thread]->scheduler().meter().set_up(options_.measure_every, options_.work_log, lane,
                                                     lane == nullptr ? 0 : options_.timeline->most());
    }
    if (options_.work_log != nullptr && options_.work_log->with_causes) set_up_causes(*options_.work_log);
}

// Of the one worker that there is.
void Run::set_up_causes(WorkLog& log) {
    assert(options_.measure_every == 1);
    causes_ = std::make_unique<Causes>(log, simulation_.processes_.size());
    for (const Simulation::Channel& channel : simulation_.channels_) {
        const std::uint32_t sender =
            causes_->add_sender(channel.from->process().number(), {&channel.from->order_, nullptr});
        causes_->add_input(channel.to->process().number(), channel.to->number_, sender, false, 0);
    }
    for (const Simulation::Bundle& bundle : simulation_.bundles_) {
        std::uint32_t first = 0;
        for (const FanOutPort* port : bundle.from) {
            const std::uint32_t sender = causes_->add_sender(port->process().number(), {nullptr, &port->position_});
            if (port == bundle.from.front()) first = sender;
        }
        for (const InPort* port : bundle.to)
            causes_->add_input(port->process().number(), port->number_, first, true,
                               static_cast<std::uint32_t>(port->sender_mask()));
    }
    for_each_worker([this](Worker& worker) { worker.scheduler().find_causes(*causes_); });
}

// What a worker did not wait for long goes where it went in the windows that were measured.
WorkerReport Run::report_of(const Worker& worker, double seconds, Profile& profile) const {
    const Meter& meter = worker.scheduler().meter();
    const double busy = std::max(0.0, seconds - worker.waited());
    const CycleCount measured = meter.idle() + meter.messages() + meter.work();
    WorkerReport report;
    report.calendar_mark = worker.scheduler().calendar().pool().size();
    report.backlog_mark = worker.backlog_mark();
    if (measured == 0) {  // too few windows to measure one
        report.work = busy;
        report.wait = seconds - busy;
        return report;
    }
    const auto share = [&](CycleCount part) {
        return busy * static_cast<double>(part) / static_cast<double>(measured);
    };
    report.work = share(meter.work());
    report.messages = share(meter.messages());
    report.wait = seconds - report.work - report.messages;
    for (std::size_t i = 0; i < profile.processes.size(); ++i)
        profile.processes[i].seconds += share(meter.work_of()[i]);
    return report;
}

std::vector<std::uint32_t> Run::positions() const {
    std::vector<std::uint32_t> positions;
    for (const Simulation::Channel& channel : simulation_.channels_)
        positions.push_back(static_cast<std::uint32_t>(channel.from->order_));
    for (const Simulation::Bundle& bundle : simulation_.bundles_)
        for (const FanOutPort* port : bundle.from) positions.push_back(port->position_);
    return positions;
}

// By how far the positions in the channels have come. Those that send from other ranks have not moved here.
void Run::add_messages_sent(Profile& profile) const {
    const std::vector<std::uint32_t> now = positions();
    std::size_t i = 0;
    const auto sent = [&] {
        const std::uint32_t messages = now[i] - positions_[i];  // modulo 2^32
        ++i;
        return std::uint64_t{messages};
    };
    for (std::size_t channel = 0; channel < simulation_.channels_.size(); ++channel) profile.channels.push_back(sent());
    for (const Simulation::Bundle& bundle : simulation_.bundles_) {
        std::vector<std::uint64_t>& senders = profile.bundles.emplace_back();
        for (std::size_t sender = 0; sender < bundle.from.size(); ++sender) senders.push_back(sent());
    }
}

}  // namespace engine
