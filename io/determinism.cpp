#include "io/determinism.h"

#include <cassert>
#include <map>

namespace io {

std::size_t Determinism::last_epoch(std::uint32_t workload) const {
    std::size_t last = 0;
    for (std::size_t i = 0; i < epochs.size(); ++i)
        if (epochs[i].workload == workload) last = i;
    return last;
}

void Determinism::set_hashes(std::uint32_t workload, engine::Time start, const engine::MessageHashes& hashes) {
    assert(hashes.processes.size() == processes.size());
    while (!epochs.empty() && epochs.back().workload == workload) epochs.pop_back();
    samples.resize(epochs.size() * processes.size());
    workloads.resize(workload);
    workloads.push_back({start, hashes.window});
    const std::size_t count = processes.empty() ? 0 : hashes.processes[0].samples.size();
    for (std::size_t i = 0; i < count; ++i) {
        epochs.push_back({workload, start + static_cast<engine::Time>(i + 1) * hashes.epoch});
        for (const engine::MessageHashes::Process& process : hashes.processes) samples.push_back(process.samples[i]);
    }
}

void Determinism::add_log(engine::Time start, const engine::MessageLog& more) {
    std::map<std::string, std::int32_t> numbers;
    for (const std::string& port : log.ports) numbers.emplace(port, static_cast<std::int32_t>(numbers.size()));
    std::vector<std::int32_t> place;
    for (const std::string& port : more.ports) {
        const auto [entry, added] = numbers.try_emplace(port, static_cast<std::int32_t>(log.ports.size()));
        if (added) log.ports.push_back(port);
        place.push_back(entry->second);
    }
    for (engine::MessageLog::Message message : more.messages) {
        message.time += start;
        message.from = place[static_cast<std::size_t>(message.from)];
        message.to = place[static_cast<std::size_t>(message.to)];
        log.messages.push_back(message);
    }
    log.complete = log.complete && more.complete;
}

}  // namespace io
