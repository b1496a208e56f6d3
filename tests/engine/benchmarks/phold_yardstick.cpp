#include "tests/engine/benchmarks/phold_yardstick.h"

#include <chrono>
#include <queue>
#include <utility>
#include <vector>

namespace engine::benchmarks {
namespace {

struct Event {
    Time time;
    std::uint32_t number;  // among the events of the sender
    std::int32_t sender, receiver;
};
struct Later {
    bool operator()(const Event& a, const Event& b) const {
        if (a.time != b.time) return a.time > b.time;
        return a.sender != b.sender ? a.sender > b.sender : a.number > b.number;
    }
};
using Queue = std::priority_queue<Event, std::vector<Event>, Later>;

}  // namespace

PholdOutcome run_phold_yardstick(const PholdShape& shape) {
    std::vector<PholdProcess> processes;
    processes.reserve(static_cast<std::size_t>(shape.processes));
    for (int i = 0; i < shape.processes; ++i) processes.emplace_back(shape, i);
    std::vector<Event> storage;
    storage.reserve(static_cast<std::size_t>(shape.processes) * static_cast<std::size_t>(shape.population));

    const auto begin = std::chrono::steady_clock::now();
    Queue queue(Later{}, std::move(storage));
    const Time end = shape.ticks(shape.end);
    const auto schedule = [&](Time now, int sender, const PholdProcess::Departure& departure) {
        const Time time = now + departure.delay;
        if (time < end) queue.push({time, departure.number, sender, departure.receiver});
    };
    for (int i = 0; i < shape.processes; ++i)
        for (int k = 0; k < shape.population; ++k) schedule(0, i, processes[static_cast<std::size_t>(i)].start());

    PholdOutcome outcome;
    while (!queue.empty()) {
        const Event event = queue.top();
        queue.pop();
        ++outcome.events;
        PholdProcess& process = processes[static_cast<std::size_t>(event.receiver)];
        schedule(event.time, event.receiver, process.handle(event.time, event.sender, event.number));
    }
    outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    for (const PholdProcess& process : processes) outcome.digest = absorb(outcome.digest, process.digest());
    return outcome;
}

}  // namespace engine::benchmarks
