#include "engine/crew.h"

#include <utility>

#include "engine/worker.h"

namespace engine {

Crew::Crew(std::vector<Worker*> workers, std::function<void(bool)> route, double trial)
    : workers_(std::move(workers)),
      measured_(workers_.size()),
      route_(std::move(route)),
      adaptation_(trial) {}

bool Crew::review() {
    if (!started_) {  // the first meeting
        started_ = true;
        start_ = Clock::now();
        return false;
    }
    if (const double now = seconds_since(start_); adaptation_.is_due(now)) {
        std::uint64_t events = 0;
        for (const Worker* worker : workers_) events += worker->events();
        adaptation_.review(now, events, busy());
    }
    return adaptation_.alone();
}

// From a sample of windows.
double Crew::busy() {
    double busy = 0;
    for (std::size_t i = 0; i < workers_.size(); ++i) {
        const Meter& meter = workers_[i]->meter();
        const Stamp busy_there = meter.work() + meter.messages();
        const Measured now{busy_there, busy_there + meter.idle()};
        const Measured before = std::exchange(measured_[i], now);
        if (now.all > before.all)
            busy += static_cast<double>(now.busy - before.busy) / static_cast<double>(now.all - before.all);
    }
    return busy;
}

void Crew::gather(Time window) {
    const Clock::time_point start = Clock::now();
    Calendar& calendar = workers_[0]->calendar();
    const auto take = [&](const Envelope& envelope) { calendar.add(envelope); };
    calendar.hand_on(window, take);
    for (Worker* worker : workers_) {
        if (worker == workers_[0]) continue;
        worker->calendar().hand_on(window, take);
        workers_[0]->take_over(*worker);
    }
    route_(true);
    alone_ = true;
    ++changes_;
    adaptation_.changed(seconds_since(start_), seconds_since(start));
}

void Crew::disperse() {
    std::vector<Worker*> owner;  // by number of the process
    for (Worker* worker : workers_)
        for (const LogicalProcess* process : worker->processes()) {
            const auto number = static_cast<std::size_t>(process->number());
            if (owner.size() <= number) owner.resize(number + 1);
            owner[number] = worker;
        }
    Calendar& calendar = workers_[0]->calendar();
    const Time window = calendar.next_window();
    if (window != never) {
        for (Worker* worker : workers_)
            if (worker != workers_[0]) worker->calendar().hand_on(window, [](const Envelope&) {});
        calendar.hand_on(window, [&](const Envelope& envelope) {
            owner[static_cast<std::size_t>(envelope.receiver)]->calendar().add(envelope);
        });
    }
    for (Worker* worker : workers_)
        if (worker != workers_[0]) workers_[0]->give_back(*worker);
    route_(false);
    alone_ = false;
    recalls_.fetch_add(1, std::memory_order_release);
    recalls_.notify_all();
}

void Crew::stand_aside(std::uint32_t& recalls) const {
    recalls_.wait(recalls, std::memory_order_acquire);
    ++recalls;
}

}  // namespace engine
