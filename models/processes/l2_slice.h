// Logical process: one slice of the L2 cache. Write-back, write-allocate; a line written whole is not fetched, one that
// is written through goes to DRAM without a place in the cache. Non-blocking: one request a cycle in order of arrival;
// misses wait in MSHRs, and requests to a line in flight join them. The request at the head waits when there is no
// MSHR, no place in its set, no room in the write buffer or no credit towards DRAM.
//
// Answers leave in order through one port, latency() after the request's turn on a hit. A miss leaves for DRAM after
// the tag lookup; its answer takes the rest of the latency once the line has arrived. Evicted lines and those written
// through wait in the write buffer for DRAM; a write is answered when it is there.
//
// Credits: a processor has at most requests_per_port requests here, queued or in work; the answer returns the credit.
#pragma once

#include <string>
#include <vector>

#include "engine/block.h"
#include "models/base/time_account.h"
#include "models/memory/l2_parameters.h"
#include "models/memory/requests.h"
#include "models/structures/cache_array.h"
#include "models/structures/mshr_table.h"
#include "models/structures/ring_queue.h"

namespace models {

class L2Slice : public engine::Clocked<L2Slice> {
  public:
    struct Shape {
        const L2Parameters& l2;
        int index, ports;                     // of processes that send requests
        std::vector<int> dram_entries;        // by channel: of its queue, for this slice
        std::uint32_t interleave;             // blocks before the next channel's turn
        engine::Time period, line_injection;  // that a port is taken by a line
    };
    explicit L2Slice(const Shape& shape);

    void end_frame() { time.settle(now()); }

    engine::Time step();
    std::string unfinished() const override;
    double cost_hint() const override { return 0.3; }
    void serialize(engine::Archive& archive) override;
    void add_laws(Laws& laws) const;

    std::uint64_t dirty_lines() const {
        return array_.count([](const CacheArray::Line& line) { return line.dirty != 0; });
    }

  private:
    enum State : std::uint8_t { idle, serve_requests, lines, no_room, states };
    struct Request {
        MemoryRequest message;
        std::uint32_t port = 0;
    };
    struct Write {
        BlockNumber block = 0;
        MemoryClient client = MemoryClient::texture;
        std::uint8_t spare[3] = {};
    };
    void on_request(const MemoryRequest& request, int port);
    void on_dram(const DramReply& reply, int channel);

    void account(bool worked, bool refused);
    bool serve(const Request& request);
    bool serve_miss(const Request& request);
    bool serve_write_through(const Request& request);
    bool join(int entry, const Request& request);
    void make_dirty(CacheArray::Line& line, MemoryClient client);
    bool write_buffered();
    void fetch(const MemoryRequest& request, int entry);
    void answer(const MemoryRequest& request, std::uint32_t port, engine::Time delay);
    std::size_t channel(BlockNumber block) const { return block / interleave_ % dram_entries_.size(); }

    // Shape.
    engine::Time latency_, tag_latency_, line_injection_;
    std::uint32_t interleave_;
    std::vector<int> dram_entries_;

    // State.
    CacheArray array_;
    MshrTable mshrs_;
    RingQueue<Request> queue_;
    RingQueue<Write> writes_waiting_;
    std::vector<int> dram_credits_;
    engine::Time answers_free_ = 0;  // when the answer port is free
    engine::Time dram_free_ = 0;     // when the port towards DRAM is free

  public:
    engine::Row<engine::In<MemoryRequest>> requests;
    engine::Row<engine::In<DramReply>> dram_replies;
    engine::Row<engine::Out<MemoryReply>> replies;
    engine::Row<engine::Out<DramRequest>> dram_requests;

    engine::CounterRow<memory_clients> received{&counters(), "requests", memory_client_names, "1", "requests received"};
    engine::CounterRow<memory_clients> missed{&counters(), "misses", memory_client_names, "1",
                                              "requests that fetched a line"};
    engine::Counter all_requests{&counters(), "requests", "1", "requests received"};
    engine::Counter answered{&counters(), "replies", "1", "answers sent"};
    engine::Counter reads{&counters(), "reads", "1", "reads served"};
    engine::Counter writes{&counters(), "writes", "1", "writes served, of whole lines or parts"};
    engine::Counter hits{&counters(), "hits", "1", "requests that found their line"};
    engine::Counter merged{&counters(), "merged", "1", "requests that joined a line in flight"};
    engine::Counter misses{&counters(), "misses", "1", "requests that fetched a line"};
    engine::Counter allocations{&counters(), "allocations", "1", "writes of whole lines that were absent: not fetched"};
    engine::Counter written_through{&counters(), "written_through", "1", "lines written past the cache"};
    engine::Counter write_backs{&counters(), "write_backs", "1", "dirty lines written to DRAM"};
    engine::Counter fills{&counters(), "fills", "1", "lines received from DRAM"};
    engine::Counter write_acknowledgements{&counters(), "write_acknowledgements", "1", "writes done in DRAM"};
    engine::Counter dirtied{&counters(), "dirtied", "1", "lines that became dirty"};
    engine::Counter overwritten{&counters(), "overwritten", "1", "dirty lines that were written through meanwhile"};
    engine::Counter queue_requests{&counters(), "queue_requests", "1",
                                   "requests found in the queue by arriving ones; divided by requests: mean occupancy"};
    engine::Counter blocked{&counters(), "blocked", "1", "times the head of the queue had to wait"};
    // A request is served in a cycle, but a line takes its answer port for several: as long as that is behind, it
    // works.
    TimeAccount<states> time{&counters(),
                             {{{"idle", Activity::starved, requesters},
                               {"serve", Activity::busy},
                               {"waits_lines", Activity::starved, "dram_channel"},
                               {"waits_memory", Activity::blocked, "dram_channel"}}},
                             period()};
};

}  // namespace models
