// Logical process: the memory management unit. Has the TLB that all processors share and walks the page tables for what
// is not in it. It stands on the network beside the L2 slices and reads the tables through the L2 cache, in sectors of
// 32 bytes, as a requester like others.
//
//     question -> TLB lookup, one a cycle -> hit: answer after mmu.latency
//                                            a walk for the page goes on: joins it
//                                            else: a walker, if one is free; the queue waits for one
//
// A walk reads an entry at each of three levels, one after the other; only the last if the address of its table is in
// the walk cache. No deadlock: the queue has room for every question that all ports may have asked, an answer needs
// only a wire, and walks need only the L2 cache, which needs no translation. Zero load: mmu.latency for a hit; a walk
// adds one to three reads through the L2 cache. Lookahead: mmu.latency towards the network, injection_latency for
// reads. Not modelled: permissions, faults, larger pages, invalidation, prefetching of translations.
#pragma once

#include <string>
#include <vector>

#include "engine/block.h"
#include "models/base/time_account.h"
#include "models/memory/address_space_parameters.h"
#include "models/memory/memory_port.h"
#include "models/structures/cache_array.h"
#include "models/structures/ring_queue.h"

namespace models {

class Mmu : public engine::Clocked<Mmu> {
  public:
    struct Shape {
        const MmuParameters& mmu;
        std::size_t questions;  // that all ports together may have asked
        engine::Time period;
        MemoryPortShape memory;
        PageTables tables;
    };
    explicit Mmu(const Shape& shape);

    void end_frame() { time.settle(now()); }

    engine::Time step();
    std::string unfinished() const override;
    double cost_hint() const override { return 0.1; }
    void serialize(engine::Archive& archive) override;
    void add_laws(Laws& laws) const;

  private:
    enum State : std::uint8_t { idle, looks_up, walking, no_walker, states };
    struct Walk {
        PageNumber page = none;  // none: the walker is free
        std::uint8_t level = 0;  // of the entry that is read; behind the last: it is done
        bool asks = false;       // its read has not been sent
        std::uint16_t spare = 0;
        Attribution attribution;
        bool is_done() const { return level == PageTables::levels; }
    };
    void on_question(const MemoryRequest& question);
    void on_reply(const MemoryReply& reply);
    bool serve(const MemoryRequest& question);
    void begin(Walk& walk, const MemoryRequest& question);
    void end(Walk& walk);
    void read(Walk& walk);
    void answer(const MemoryRequest& question);

    engine::Time latency_;
    PageTables tables_;

    // State.
    RingQueue<MemoryRequest> queue_;
    std::vector<MemoryRequest> joined_;  // that wait for walks, oldest first
    CacheArray pages_, last_tables_;
    std::vector<Walk> walks_;
    engine::Time answers_free_ = 0;

  public:
    engine::In<MemoryRequest> requests;  // questions, from the network
    engine::In<MemoryReply> replies;     // from the L2 cache
    engine::Out<MemoryReply> answers;
    MemoryPort memory;
    engine::Counter questions, hits, joins, walks, short_walks, reads, answered, refusals;
    TimeAccount<states> time;
};

}  // namespace models
