// The way of a process to memory: one injection port, which leads into the network and which all requests share, and
// credits for the room in each L2 slice. Not a process: a member of one, which hands it the answers.
//
// Between a part's decision to send and the message's departure lie the part's own pipeline (the lookup that missed)
// and the port's: arbitration among the parts of the process and injection into the network.
#pragma once

#include <algorithm>
#include <cassert>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/archive.h"
#include "engine/block.h"
#include "models/base/laws.h"
#include "models/memory/memory_exit.h"
#include "models/memory/round_trips.h"
#include "models/memory/tlb.h"
#include "models/structures/page_placement.h"

namespace models {

// How ports of a process are connected to memory; times in ticks.
struct MemoryPortShape {
    int slices, credits;  // requests that a slice has room for
    engine::Time period;
    engine::Time injection_delay;        // arbitration and injection of the first beat
    std::uint32_t link_width;            // bytes that the port injects in a period; a message without data takes one
    std::uint32_t line_blocks = 1;       // of a line of the L2 cache, which is in one slice
    PagePlacement placement = {};        // where pages lie
    std::optional<Tlb::Shape> tlb = {};  // none: translation is free
    std::string_view answered_by = "l2_slice";  // the kind of unit that hands it answers, as a TimeAccount names it
    Observed observed = {};
    BlockNumber memory_blocks = most_memory_blocks;
};

class MemoryPort final : public MemoryExit {
  public:
    // The kind of unit whose room requests take, of which the credits are: who cannot send is blocked by it.
    static constexpr std::string_view room_of = "l2_slice";

    // `least_lookup`: the least delay that any part passes to send(), ticks.
    MemoryPort(engine::LogicalProcess* process, const MemoryPortShape& shape, engine::Time least_lookup);

    bool can_send(BlockNumber block, int count = 1) const override {
        return credits_[slices_.slice(shape_.placement.physical(block))] >= count && (!tlb_ || tlb_->has_room(count));
    }

    // Departs `delay` ticks and the port's own delay after now, or later if the port is busy or the place of its page
    // is not known.
    void send(engine::Time now, const MemoryRequest& request, engine::Time delay) override {
        const BlockNumber physical = shape_.placement.physical(request.block);
        int& credits = credits_[slices_.slice(physical)];
        assert(credits > 0);
        --credits;
        if (!request.asks_peer())
            ++(request.operation == MemoryOperation::read ? reads : writes)[static_cast<std::size_t>(request.client)];
        if (tlb_ && !has_page(now, request, delay)) return;
        depart(now, request, physical, now + delay);
    }

    // A request of another process, which has a credit for it, and to which the L2 cache will answer.
    void pass_on(engine::Time now, MemoryRequest request) {
        request.peer = MemoryRequest::no_peer;
        request.is_passed_on = 1;
        depart(now, request, physical(request.block), now + least_lookup_);
    }
    // Where a block lies.
    BlockNumber physical(BlockNumber block) const { return shape_.placement.physical(block); }

    // False if it was the place of a page. Others have it in either case if they were refused before.
    bool take_reply(engine::Time now, const MemoryReply& reply);

    int in_flight() const;
    std::string_view answered_by() const override { return shape_.answered_by; }
    Observed observed() const override { return shape_.observed; }
    BlockNumber memory_blocks() const override { return shape_.memory_blocks; }

    // asked: requests to other caches, which are no reads.
    void add_laws(Laws& laws, const std::string& name, const Sum& asked = {}) const;
    // Pages that it asked for, and those that it was told of.
    const engine::Counter* pages_asked() const { return tlb_ ? &tlb_->misses : nullptr; }
    const engine::Counter* pages_told() const { return tlb_ ? &tlb_->answers : nullptr; }

    void serialize(engine::Archive& archive);

    engine::Out<MemoryRequest> requests;
    engine::CounterRow<memory_clients> reads, writes;
    engine::Counter replies, l2_misses;

  private:
    bool has_page(engine::Time now, const MemoryRequest& request, engine::Time delay);
    void depart(engine::Time now, MemoryRequest request, BlockNumber block, engine::Time ready) {
        // Another cache is asked for the block by the number by which it has it.
        if (!request.asks_peer()) request.block = block;
        const engine::Time departure = std::max(ready + shape_.injection_delay, free_at_);
        const bool has_data = request.operation != MemoryOperation::read;
        free_at_ =
            departure + (has_data ? shape_.period * link_width_.quotient_up(bytes_of(request.sectors)) : shape_.period);
        if (round_trips_ && !request.asks_for_page() && request.is_passed_on == 0)
            round_trips_->sent(request, block, departure);
        requests.send(request, departure - now);
    }

    MemoryPortShape shape_;
    SliceMap slices_;
    Divisor link_width_;
    engine::Time least_lookup_;
    std::unique_ptr<Tlb> tlb_;  // null: translation is free
    std::vector<int> credits_;
    engine::Time free_at_ = 0;
    std::unique_ptr<RoundTrips> round_trips_;  // null: they are not observed
};

}  // namespace models
