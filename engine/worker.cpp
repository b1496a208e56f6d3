#include "engine/worker.h"

#include <algorithm>
#include <exception>

#include "engine/outbox.h"
#include "engine/transport/exchange.h"
#include "engine/transport/lane.h"

namespace engine {

void Worker::own(LogicalProcess& process) {
    processes_.push_back(&process);
    mine_[static_cast<std::size_t>(process.number_)] = true;
}

void Worker::receive() {
    const auto deliver = [this](const Envelope& envelope) {
        all_[static_cast<std::size_t>(envelope.receiver)]->inbox_.add(envelope);
    };
    for (transport::Lane* lane : lanes_) lane->drain(deliver);
    if (exchange_ == nullptr) return;
    exchange_->for_received([&](const Envelope& envelope) {
        if (mine_[static_cast<std::size_t>(envelope.receiver)]) deliver(envelope);
    });
}

// A worker stops at the first of its processes that throws. Of all workers' complaints that of the lowest number
// counts, and processes are advanced in the order of their numbers, so the one that counts does not depend on the plan.
void Worker::advance(Time until) {
    LogicalProcess* process = nullptr;
    const auto complain = [&](ExitCode code, const std::string& text) {
        complaints_.push_back({process->number_, code, text + " (at time " + std::to_string(process->now_) + ")"});
    };
    try {
        for (LogicalProcess* each : processes_) {
            process = each;
            if (process->next_event() >= until) continue;
            current_.store(process->number_, std::memory_order_relaxed);
            process->advance(until);
        }
    } catch (const Error& error) {
        complain(error.code(), error.what());
    } catch (const std::exception& error) {
        complain(ExitCode::internal, error.what());
    } catch (...) {
        complain(ExitCode::internal, "unknown exception");
    }
}

Time Worker::next_event() {
    if (!complaints_.empty()) return failure;
    Time least = never;
    for (const LogicalProcess* process : processes_) least = std::min(least, process->next_event());
    for (Outbox* outbox : outboxes_) least = std::min(least, outbox->take_least());
    return least;
}

}  // namespace engine
