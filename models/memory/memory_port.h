// The way of a process to memory: one output to every L2 slice, credits for the room in each slice, and one injection
// port that all requests share. Not a process: a member of one, which hands it the answers.
//
// Between a part's decision to send and the message's departure lie the part's own pipeline (the lookup that missed)
// and the port's: arbitration among the parts of the process and injection into the network.
#pragma once

#include <algorithm>
#include <cassert>
#include <vector>

#include "engine/archive.h"
#include "engine/block.h"
#include "models/memory/memory_exit.h"

namespace models {

// How ports of a process are connected to memory; times in ticks.
struct MemoryPortShape {
    int slices, credits;  // requests that a slice has room for
    engine::Time period;
    engine::Time injection_delay;   // arbitration and injection of the first beat
    engine::Time data_injection;    // that the port is taken by 64 bytes of data; by a message without: a period
    std::uint32_t line_blocks = 1;  // of a line of the L2 cache, which is in one slice
};

class MemoryPort final : public MemoryExit {
  public:
    // `least_lookup`: the least delay that any part passes to send(), ticks.
    MemoryPort(engine::LogicalProcess* process, const MemoryPortShape& shape, engine::Time least_lookup);

    bool can_send(BlockNumber block, int count = 1) const override { return credits_[slice(block)] >= count; }

    // Departs `delay` ticks and the port's own delay after now, or later if the port is busy.
    void send(engine::Time now, const MemoryRequest& request, engine::Time delay) override {
        const std::size_t to = slice(request.block);
        assert(credits_[to] > 0);
        --credits_[to];
        const engine::Time departure = std::max(now + delay + shape_.injection_delay, free_at_);
        const bool is_read = request.operation == MemoryOperation::read;
        free_at_ = departure + (is_read ? shape_.period : shape_.data_injection * blocks_of(request.sectors));
        ++(is_read ? reads : writes)[static_cast<std::size_t>(request.client)];
        requests[static_cast<int>(to)].send(request, departure - now);
    }

    // An answer came from this slice.
    void take_reply(int from) {
        ++credits_[static_cast<std::size_t>(from)];
        ++replies;
    }

    int in_flight() const;

    void serialize(engine::Archive& archive) { archive(credits_, free_at_); }

    engine::Row<engine::Out<MemoryRequest>> requests;
    engine::CounterRow<memory_clients> reads, writes;
    engine::Counter replies;

  private:
    std::size_t slice(BlockNumber block) const {
        return block / shape_.line_blocks % static_cast<std::uint32_t>(shape_.slices);
    }

    MemoryPortShape shape_;
    std::vector<int> credits_;
    engine::Time free_at_ = 0;
};

}  // namespace models
