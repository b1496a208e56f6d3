// A processor's way to memory: one output to every L2 slice, credits for the room in each slice, and one injection port
// that all requests share. Not a process: a member of one, which hands it the answers.
#pragma once

#include <algorithm>
#include <cassert>
#include <vector>

#include "engine/block.h"
#include "models/machine_parameters.h"
#include "models/messages.h"

namespace models {

// How ports of a process are connected to memory. `least_delay` in ticks.
struct MemoryPortShape {
    int slices, credits;
    engine::Time period, least_delay, data_injection;  // injection of a message with data; without: one period
    MemoryPortShape(const MachineParameters& parameters, Cycles least_delay);
};

class MemoryPort {
  public:
    MemoryPort(engine::LogicalProcess* process, const MemoryPortShape& shape);

    bool can_send(BlockNumber block) const { return credits_[slice(block)] > 0; }

    // Departs `delay` ticks (at least the port's least delay) after now, or later if the injection port is busy.
    void send(engine::Time now, const MemoryRequest& request, engine::Time delay) {
        const std::size_t to = slice(request.block);
        assert(credits_[to] > 0);
        --credits_[to];
        const engine::Time departure = std::max(now + delay, free_at_);
        const bool read = request.operation == MemoryOperation::read;
        free_at_ = departure + (read ? shape_.period : shape_.data_injection);
        ++(read ? reads : writes);
        requests[static_cast<int>(to)].send(request, departure - now);
    }

    // An answer came from this slice.
    void take_reply(int from) {
        ++credits_[static_cast<std::size_t>(from)];
        ++replies;
    }

    int in_flight() const;

    engine::Row<engine::Out<MemoryRequest>> requests;
    engine::Counter reads, writes, replies;

  private:
    std::size_t slice(BlockNumber block) const { return block % static_cast<std::uint32_t>(shape_.slices); }

    MemoryPortShape shape_;
    std::vector<int> credits_;
    engine::Time free_at_ = 0;
};

}  // namespace models
