// Simulation: what its processes have consumed and noted, from all ranks.
#include <algorithm>
#include <cstring>
#include <map>
#include <span>
#include <utility>

#include "engine/events/windows.h"
#include "engine/series.h"
#include "engine/simulation.h"
#include "engine/transport/collectives.h"

namespace engine {

MessageHashes Simulation::collect_message_hashes() const {
    const Windows windows(window_length());
    const Time past = windows.of(now_) + 1, epoch = MessageHash::epoch_for(past);
    const auto count = static_cast<std::size_t>((past + epoch - 1) / epoch);
    std::vector<std::uint64_t> mine;
    mine.reserve(processes_.size() * count);
    for (const auto& process : processes_)
        for (std::size_t i = 1; i <= count; ++i) mine.push_back(process->hash_.at(static_cast<Time>(i) * epoch));
    const std::vector<std::vector<std::byte>> parts = transport::gather(std::as_bytes(std::span(mine)));
    MessageHashes hashes{windows.length(), epoch * windows.length(), {}};
    if (parts.empty()) return hashes;
    for (std::size_t i = 0; i < processes_.size(); ++i) {
        MessageHashes::Process& process = hashes.processes.emplace_back();
        process.samples.resize(count);
        const std::vector<std::byte>& part = parts[rank_.empty() ? 0 : static_cast<std::size_t>(rank_[i])];
        std::memcpy(process.samples.data(), part.data() + i * count * sizeof(std::uint64_t),
                    count * sizeof(std::uint64_t));
        process.last = process.samples.back();
    }
    return hashes;
}

std::vector<Simulation::TakenSeries> Simulation::take_series() {
    std::vector<std::uint64_t> mine;  // of each series: how many values, and these
    for (const auto& process : processes_)
        for (Series* series : process->counters().series()) {
            const std::vector<std::uint64_t> values = series->take();
            mine.push_back(values.size());
            mine.insert(mine.end(), values.begin(), values.end());
        }
    std::vector<std::vector<std::uint64_t>> parts;
    for (const std::vector<std::byte>& bytes : transport::gather(std::as_bytes(std::span(mine)))) {
        std::vector<std::uint64_t>& part = parts.emplace_back(bytes.size() / sizeof(std::uint64_t));
        if (!bytes.empty()) std::memcpy(part.data(), bytes.data(), bytes.size());
    }
    std::vector<TakenSeries> all;
    if (parts.empty()) return all;
    std::vector<std::size_t> at(parts.size(), 0);
    for (std::size_t i = 0; i < processes_.size(); ++i) {
        const std::size_t owner = rank_.empty() ? 0 : static_cast<std::size_t>(rank_[i]);
        for (const Series* series : processes_[i]->counters().series()) {
            for (std::size_t rank = 0; rank < parts.size(); ++rank) {
                const auto begin = parts[rank].begin() + static_cast<std::ptrdiff_t>(at[rank] + 1);
                const auto count = static_cast<std::ptrdiff_t>(parts[rank][at[rank]]);
                at[rank] += static_cast<std::size_t>(count) + 1;
                if (rank == owner) all.push_back({series, {begin, begin + count}});
            }
        }
    }
    return all;
}

// By process and number of the input: where its messages come from.
Simulation::Origins Simulation::find_origins() const {
    Origins origins;
    for (const Channel& channel : channels_)
        origins[{channel.to->process_->number_, channel.to->number_}] = {channel.to, channel.from, nullptr};
    for (const Bundle& bundle : bundles_)
        for (const InPort* to : bundle.to) origins[{to->process_->number_, to->number_}] = {to, nullptr, &bundle};
    return origins;
}

MessageLog Simulation::collect_message_log() const {
    MessageLog log;
    if (log_ == nullptr) return log;
    const std::vector<LoggedMessage> mine = log_->messages();
    std::vector<LoggedMessage> all;
    for (const std::vector<std::byte>& part : transport::gather(std::as_bytes(std::span(mine)))) {
        const std::size_t before = all.size();
        all.resize(before + part.size() / sizeof(LoggedMessage));
        if (!part.empty()) std::memcpy(all.data() + before, part.data(), part.size());
    }
    sort_and_cut(all, log_->limit());
    log.complete = all.size() <= log_->limit();
    if (!log.complete) all.pop_back();

    const Origins origins = find_origins();
    std::map<const Port*, std::int32_t> numbers;
    const auto number_of = [&](const Port* port) {
        const auto [entry, added] = numbers.try_emplace(port, static_cast<std::int32_t>(log.ports.size()));
        if (added) log.ports.push_back(port->name());
        return entry->second;
    };
    log.messages.reserve(all.size());
    for (const LoggedMessage& message : all) {
        const Origin& origin = origins.at({message.receiver, order::input_port(message.order)});
        const LogicalProcess& receiver = *processes_[static_cast<std::size_t>(message.receiver)];
        MessageLog::Message& entry = log.messages.emplace_back();
        entry.time = message.time;
        entry.sender = origin.bundle == nullptr ? -1 : order::sender(message.order) ^ receiver.sender_mask_;
        entry.position = order::position(message.order, origin.bundle != nullptr);
        entry.size = message.size;
        entry.payload = message.payload;
        entry.to = number_of(origin.to);
        const OutPort* from = origin.single;
        if (origin.bundle != nullptr) from = origin.bundle->from[static_cast<std::size_t>(entry.sender)];
        entry.from = number_of(from);
    }
    return log;
}

}  // namespace engine
