#include "engine/scheduling/process_state.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace engine {

namespace {

struct InFlight {
    Time time;
    std::uint64_t order;
    std::array<std::byte, message_capacity> payload;
};

}  // namespace

void ProcessState::serialize(Archive& archive) {
    process.serialize_kernel(archive);
    process.serialize(archive);
    for (const Simulation::Channel& channel : simulation.channels_)
        if (&channel.from->process() == &process) archive(channel.from->order_, channel.from->last_arrival_);
    for (const Simulation::Bundle& bundle : simulation.bundles_)
        for (FanOutPort* port : bundle.from)
            if (&port->process() == &process) archive(port->position_);
    messages(archive);
}

void ProcessState::messages(Archive& archive) {
    std::vector<InFlight> in_flight;
    if (!archive.is_reading()) {
        for (const Envelope& envelope : simulation.in_flight_) {
            if (envelope.receiver != process.number()) continue;
            InFlight& message = in_flight.emplace_back(InFlight{envelope.time, envelope.order, {}});
            const auto input = static_cast<std::size_t>(order::input_port(envelope.order));
            const std::uint32_t size = process.description_->inputs[input].message_size;
            std::copy_n(envelope.payload, size, message.payload.begin());
        }
        std::sort(in_flight.begin(), in_flight.end(), [](const InFlight& a, const InFlight& b) {
            return a.time != b.time ? a.time < b.time : a.order < b.order;
        });
    }
    archive(in_flight);
    if (!archive.is_reading()) return;
    for (const InFlight& message : in_flight) {
        Envelope& envelope = simulation.in_flight_.emplace_back();
        envelope.time = message.time;
        envelope.order = message.order;
        envelope.receiver = process.number();
        std::copy_n(message.payload.begin(), message_capacity, envelope.payload);
    }
}

bool ProcessState::can_be_saved() const {
    std::vector<std::byte> bytes;
    Archive archive(&bytes);
    try {
        process.serialize(archive);
    } catch (const CannotBeSaved&) {
        return false;
    }
    return true;
}

}  // namespace engine
