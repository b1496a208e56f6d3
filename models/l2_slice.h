// Logical process: one slice of the L2 cache. Write-back, write-allocate; a line written whole is not fetched.
// Non-blocking: one request a cycle in order of arrival; misses wait in MSHRs, and requests to a line in flight join
// them. The request at the head waits when there is no MSHR, no place in its set or no credit towards DRAM.
//
// Answers leave in order through one port, latency() after the request's turn on a hit. A miss leaves for DRAM after
// the tag lookup; its answer takes the rest of the latency once the line has arrived.
//
// Credits: a processor has at most requests_per_port requests here, queued or in work; the answer returns the credit.
#pragma once

#include <string>
#include <vector>

#include "engine/block.h"
#include "models/cache_array.h"
#include "models/machine_parameters.h"
#include "models/messages.h"
#include "models/mshr_table.h"
#include "models/ring_queue.h"

namespace models {

class L2Slice : public engine::Clocked<L2Slice> {
  public:
    // `ports`: processors that send requests.
    L2Slice(int index, const MachineParameters& parameters, int ports);

    engine::Time step();
    std::string unfinished() const override;
    double cost_hint() const override { return 0.3; }
    std::uint64_t dirty_lines() const {
        return array_.count([](const CacheArray::Line& line) { return line.dirty; });
    }

  private:
    struct Request {
        MemoryRequest message;
        std::uint16_t port = 0;
    };
    void on_request(const MemoryRequest& request, int port);
    void on_dram(const DramReply& reply, int channel);

    bool serve(const Request& request);
    bool serve_miss(const Request& request);
    bool join(int entry, const Request& request);
    void evict(const CacheArray::Line& line);
    void fetch(const Request& request, int entry);
    void answer(const MemoryRequest& request, std::uint32_t port, engine::Time delay);
    std::size_t channel(BlockNumber block) const { return block / interleave_ % static_cast<std::uint32_t>(channels_); }

    // Shape.
    engine::Time latency_, tag_latency_, line_injection_;
    int channels_;
    std::uint32_t interleave_;  // blocks
    int dram_queue_;            // entries of a channel's queue for this slice

    // State.
    CacheArray array_;
    MshrTable mshrs_;
    RingQueue<Request> queue_;
    std::vector<int> dram_credits_;
    engine::Time answers_free_ = 0;  // when the answer port is free
    engine::Time dram_free_ = 0;     // when the port towards DRAM is free

  public:
    engine::Row<engine::In<MemoryRequest>> requests;
    engine::Row<engine::In<DramReply>> dram_replies;
    engine::Row<engine::Out<MemoryReply>> replies;
    engine::Row<engine::Out<DramRequest>> dram_requests;

  private:
    engine::Counter requests_{&counters(), "requests", "1", "requests received"};
    engine::Counter replies_{&counters(), "replies", "1", "answers sent"};
    engine::Counter reads_{&counters(), "reads", "1", "reads served"};
    engine::Counter writes_{&counters(), "writes", "1", "writes served, of whole lines or parts"};
    engine::Counter hits_{&counters(), "hits", "1", "requests that found their line"};
    engine::Counter merged_{&counters(), "merged", "1", "requests that joined a line in flight"};
    engine::Counter misses_{&counters(), "misses", "1", "requests that fetched a line"};
    engine::Counter allocations_{&counters(), "allocations", "1",
                                 "writes of whole lines that were absent: not fetched"};
    engine::Counter write_backs_{&counters(), "write_backs", "1", "dirty lines written to DRAM"};
    engine::Counter fills_{&counters(), "fills", "1", "lines received from DRAM"};
    engine::Counter write_acknowledgements_{&counters(), "write_acknowledgements", "1", "write-backs done in DRAM"};
    engine::Counter dirtied_{&counters(), "dirtied", "1", "lines that became dirty"};
    engine::Counter queue_requests_{
        &counters(), "queue_requests", "1",
        "requests found in the queue by arriving ones; divided by requests: mean occupancy"};
    engine::Counter cycles_blocked_{&counters(), "blocked", "1", "times the head of the queue had to wait"};
};

}  // namespace models
