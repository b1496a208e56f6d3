// The way of a process to memory: one injection port, which leads into the network and which all requests share, and
// credits for the room in each L2 slice. Not a process: a member of one, which hands it the answers.
//
// Between a part's decision to send and the message's departure lie the part's own pipeline (the lookup that missed)
// and the port's: arbitration among the parts of the process and injection into the network.
#pragma once

#include <algorithm>
#include <cassert>
#include <string_view>
#include <vector>

#include "engine/archive.h"
#include "engine/block.h"
#include "models/memory/memory_exit.h"

namespace models {

// How ports of a process are connected to memory; times in ticks.
struct MemoryPortShape {
    int slices, credits;  // requests that a slice has room for
    engine::Time period;
    engine::Time injection_delay;          // arbitration and injection of the first beat
    std::uint32_t link_width;              // bytes that the port injects in a period; a message without data takes one
    std::uint32_t line_blocks = 1;         // of a line of the L2 cache, which is in one slice
    std::string_view answered_by = "l2_slice";  // the kind of unit that hands it answers, as a TimeAccount names it
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
        free_at_ = departure + (is_read ? shape_.period : shape_.period * beats_of(request.sectors, shape_.link_width));
        ++(is_read ? reads : writes)[static_cast<std::size_t>(request.client)];
        requests.send(request, departure - now);
    }

    void take_reply(const MemoryReply& reply) {
        ++credits_[slice(reply.block)];
        ++replies;
    }

    int in_flight() const;
    std::string_view answered_by() const override { return shape_.answered_by; }

    void serialize(engine::Archive& archive) { archive(credits_, free_at_); }

    engine::Out<MemoryRequest> requests;
    engine::CounterRow<memory_clients> reads, writes;
    engine::Counter replies;

  private:
    std::size_t slice(BlockNumber block) const { return slice_of(block, shape_.line_blocks, shape_.slices); }

    MemoryPortShape shape_;
    std::vector<int> credits_;
    engine::Time free_at_ = 0;
};

}  // namespace models
