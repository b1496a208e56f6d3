#include "engine/instruments/causes.h"

#include <algorithm>

#include "engine/plan.h"

namespace engine {

std::uint32_t Causes::value(const Position& position) {
    return position.of_bundle != nullptr ? *position.of_bundle : static_cast<std::uint32_t>(*position.of_channel);
}

std::uint32_t Causes::add_sender(int process, Position position) {
    const auto number = static_cast<std::uint32_t>(senders_.size());
    senders_.push_back({position, value(position), value(position), {}});
    outputs_[at(process)].push_back(number);
    return number;
}

void Causes::add_input(int process, int input, std::uint32_t first_sender, bool is_bundle, std::uint32_t mask) {
    std::vector<Input>& inputs = inputs_[at(process)];
    if (inputs.size() <= at(input)) inputs.resize(at(input) + 1);
    inputs[at(input)] = {first_sender, mask, is_bundle};
}

// Positions count modulo 2^32, so they are compared by how far they are from the beginning.
void Causes::consume(int process, std::span<const Arrival> arrivals) {
    const auto entry = static_cast<std::uint32_t>(log_->entries.size());
    for (const Arrival& arrival : arrivals) {
        const Input& input = inputs_[at(process)][at(order::input_port(arrival.order))];
        const std::uint32_t index =
            input.is_bundle ? static_cast<std::uint32_t>(order::sender(arrival.order)) ^ input.mask : 0;
        const Sender& sender = senders_[input.first_sender + index];
        const std::uint32_t position = static_cast<std::uint32_t>(arrival.order) - sender.begin;
        const auto found = std::partition_point(sender.sent.begin(), sender.sent.end(),
                                                [&](const Sent& sent) { return sent.end - sender.begin <= position; });
        if (found == sender.sent.end()) continue;  // sent before the run
        const WorkLog::Cause cause{found->entry, entry};
        if (log_->causes.empty() || log_->causes.back() != cause) log_->causes.push_back(cause);
    }
}

void Causes::note_sent(int process) {
    const auto entry = static_cast<std::uint32_t>(log_->entries.size() - 1);
    for (const std::uint32_t number : outputs_[at(process)]) {
        Sender& sender = senders_[number];
        const std::uint32_t now = value(sender.position);
        if (now == sender.next) continue;
        sender.next = now;
        sender.sent.push_back({now, entry});
    }
}

}  // namespace engine
