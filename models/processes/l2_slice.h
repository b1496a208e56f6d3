// Logical process: one slice of the L2 cache. Write-back, write-allocate, or as l2.write_policy says; a line written
// whole is not fetched, one that is written through goes to DRAM without a place in the cache. What the driver writes
// so was dropped before the frame (Uploads).
//
// One lookup a cycle. Requests wait in three places, so that none stops those that need nothing of what it waits for:
//
//     request queue    in order of arrival; has room for all requests that the credits of the ports allow
//     miss queue       requests that could not be served: no MSHR, no room to wait at one, in the DRAM queue or in
//                      the eviction buffer. They are tried again, in order, when something has come or gone. Requests
//                      behind them pass, hits and misses of other lines, until the miss queue is full; a request for a
//                      line of which one waits here waits behind it, so requests for a line are served in order
//     eviction buffer  (of the cache) written lines on their way to DRAM; a write is answered when it is in the cache
//
// With a directory (of d_nuca) a miss of a texture cache asks it first. A line that no core has is the requester's from
// then on, and it is answered as any other. One that another core has is asked of that core by a message to it, and the
// requester gets an answer without data.
//
// An answer with data takes the slice's answer port for the cycles that its bytes need.
//
// Not modelled: coherence with other caches, errors.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/block.h"
#include "models/base/time_account.h"
#include "models/memory/cache.h"
#include "models/memory/dram/address_mapping.h"
#include "models/memory/home/directory.h"
#include "models/memory/home_message.h"
#include "models/memory/l2_parameters.h"
#include "models/memory/requests.h"
#include "models/structures/ring_queue.h"
#include "models/workload/block_runs.h"

namespace models {

class L2Slice : public engine::Clocked<L2Slice>, private MemoryExit {
  public:
    struct Shape {
        const L2Parameters& l2;
        int index, requesters;          // processes that send requests
        std::vector<int> dram_entries;  // by channel: of its queue, for this slice
        std::uint32_t interleave;       // blocks before the next channel's turn
        engine::Time period;
        std::uint32_t link_width;  // bytes that a port sends in a period
        Observed observed = {};
        BlockNumber memory_blocks = most_memory_blocks;
        const DirectoryShape* directory = nullptr;  // null: none
    };
    explicit L2Slice(const Shape& shape);

    // The driver has written these (physical) blocks before the frame, past the cache: what it holds of them is old.
    void drop(const BlockRuns& written) {
        cache_.overwrite([&](BlockNumber block) { return written.holds(block); });
    }
    void end_frame() {
        time.settle(now());
        cache_.end_frame();
    }

    engine::Time step();
    std::string unfinished() const override;
    double cost_hint() const override { return 0.5; }
    void serialize(engine::Archive& archive) override;
    void add_laws(Laws& laws) const;

    const Cache& cache() const { return cache_; }

  private:
    enum State : std::uint8_t { idle, serve_requests, lines, no_room, states };
    struct Request {
        MemoryRequest message;
        engine::Time arrival = 0;
        std::uint64_t lines_awaited = 0;  // answers of DRAM until its own
    };
    void on_request(const MemoryRequest& request);
    void on_dram(const DramReply& reply, int channel);
    void on_evicted(const HomeMessage& message, int port);
    // Towards DRAM.
    bool can_send(BlockNumber block, int count) const override { return dram_credits_[channel(block)] >= count; }
    void send(engine::Time now, const MemoryRequest& request, engine::Time delay) override;
    std::string_view answered_by() const override { return "dram_channel"; }
    Observed observed() const override { return observed_; }
    BlockNumber memory_blocks() const override { return memory_blocks_; }

    bool serve_one();
    Cache::Outcome serve(const Request& request);
    bool is_sent_on(const Request& request);
    bool has_to_wait(const MemoryRequest& message) const;
    bool write_past(const MemoryRequest& message);
    void answer(const Request& request, engine::Time delay, bool hit) {
        answer(request, MemoryReply::to(request.message), delay, hit);
    }
    void answer(const Request& request, const MemoryReply& reply, engine::Time delay, bool hit);
    void account(bool worked);
    std::size_t channel(BlockNumber block) const { return channels_.channel(block); }

    // Shape.
    engine::Time latency_, tag_latency_;
    Divisor link_width_;
    ChannelInterleave channels_;
    Divisor line_;  // blocks of one
    std::vector<int> dram_entries_;
    Observed observed_;
    BlockNumber memory_blocks_;

    // State.
    RingQueue<Request> queue_, missed_;
    std::vector<Request> waiting_;             // for lines in flight
    std::vector<std::uint32_t> free_waiting_;  // places in waiting_
    std::vector<int> dram_credits_;
    engine::Time answers_free_ = 0;  // when the answer port is free
    engine::Time dram_free_ = 0;     // when the port towards DRAM is free
    bool retries_ = false;           // something has come or gone since a request of the miss queue was tried

  public:
    engine::In<MemoryRequest> requests;
    engine::Row<engine::In<DramReply>> dram_replies;
    engine::Out<MemoryReply> replies;
    engine::Row<engine::Out<DramRequest>> dram_requests;
    engine::Row<engine::In<HomeMessage>> evicted;  // lines that a core has no longer; one, or none
    engine::Row<engine::Out<HomeMessage>> to_cores;

    engine::CounterRow<memory_clients> received{&counters(), "requests", memory_client_names, "1", "requests received"};
    engine::CounterRow<memory_clients> missed{&counters(), "misses", memory_client_names, "1", "lines fetched"};
    engine::Counter all_requests{&counters(), "requests", "1", "requests received"};
    engine::Counter answered{&counters(), "replies", "1", "answers sent"};
    engine::Counter reads{&counters(), "reads", "1", "reads served"};
    engine::Counter writes{&counters(), "writes", "1", "writes served, of whole lines or parts"};
    engine::Counter write_acknowledgements{&counters(), "write_acknowledgements", "1", "writes done in DRAM"};
    engine::Counter queue_cycles{&counters(), "queue_cycles", "cycle",
                                 "waiting before requests were served, summed; divided by requests: mean waiting time"};
    engine::Counter waited{&counters(), "waited", "1", "requests that waited for a line to be fetched"};
    engine::Counter put_off{&counters(), "put_off", "1", "requests that went to the miss queue"};
    engine::Counter blocked{&counters(), "blocked", "1", "times that the miss queue had no room for a request"};

    // What a directory did.
    struct Owners {
        Owners(engine::CounterList* counters, const DirectoryShape& shape);
        Directory directory;
        engine::Counter sent_on, taken, renewed, recalls, evictions;
    };
    const Owners* owners() const { return owners_.get(); }

  private:
    // Of requests, from their arrival until their answers depart, in cycles: of those that waited for no line, and of
    // those that did.
    struct Latencies {
        explicit Latencies(const engine::CounterScope& scope);
        engine::HistogramRow<memory_clients> hits, misses;
    };
    std::unique_ptr<Latencies> latencies_;  // null: they are not observed
    std::unique_ptr<Owners> owners_;        // null: no directory
    Cache cache_;                           // its counters are the slice's

  public:
    // A request is served in a cycle, but data take the answer port for several: as long as that is behind, it works.
    TimeAccount<states> time{&counters(),
                             {{{"idle", Activity::starved, requesters},
                               {"serve", Activity::busy},
                               {"waits_lines", Activity::starved, "dram_channel"},
                               {"waits_memory", Activity::blocked, "dram_channel"}}},
                             period()};
};

}  // namespace models
