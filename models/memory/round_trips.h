// What is observed of the way of a process to memory, if it is: how long requests take from their departure until
// their answers come. A member of a memory port.
//
// An answer belongs to the oldest request with its block, sectors, tag and operation: the L2 cache serves those of the
// same sectors of a line in order. One of sectors that are there passes one whose sectors have to be fetched.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <vector>

#include "engine/archive.h"
#include "models/memory/observed.h"
#include "models/memory/requests.h"

namespace models {

class RoundTrips {
  public:
    RoundTrips(const engine::CounterScope& scope, engine::Time period)
        : period_(period),
          reads_(scope, "memory_latency", memory_client_names, "cycle",
                 "from the departure of a request until the answer came", latency_scale()),
          writes_(scope, "memory_write_latency", "cycle",
                  "from the departure of a write until its acknowledgement came", latency_scale()) {}

    // block: where the request's lies, as the answer names it.
    void sent(const MemoryRequest& request, BlockNumber block, engine::Time departure) {
        waiting_.push_back({departure, block, request.tag, request.operation, request.client, request.sectors, {}});
    }
    void answered(const MemoryReply& reply, engine::Time now) {
        const MemoryOperation operation = reply.is_elsewhere() ? MemoryOperation::read : reply.operation;
        const auto found = std::find_if(waiting_.begin(), waiting_.end(), [&](const Waiting& waiting) {
            return waiting.block == reply.block && waiting.operation == operation &&
                   waiting.tag.entry == reply.tag.entry && waiting.tag.part == reply.tag.part &&
                   (waiting.sectors == reply.sectors || reply.is_elsewhere());
        });
        assert(found != waiting_.end());
        const auto cycles = static_cast<std::uint64_t>((now - found->departure) / period_);
        (found->operation == MemoryOperation::read ? reads_[static_cast<std::size_t>(found->client)] : writes_)
            .add(cycles);
        waiting_.erase(found);
    }

    void serialize(engine::Archive& archive) { archive(waiting_); }

  private:
    struct Waiting {
        engine::Time departure = 0;
        BlockNumber block = 0;
        RequestTag tag;
        MemoryOperation operation = MemoryOperation::read;
        MemoryClient client = MemoryClient::texture;
        SectorMask sectors = 0;
        std::array<std::uint8_t, 7> spare = {};
    };
    engine::Time period_;
    std::vector<Waiting> waiting_;  // oldest first
    engine::HistogramRow<memory_clients> reads_;
    engine::Histogram writes_;
};

}  // namespace models
