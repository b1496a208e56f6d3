// What a model of a DRAM channel is asked and what it answers: both models of dram.model have the same face. A model is
// a component in cycles of its own clock:
//
//     void push(Time cycle, int slice, const DramTransfer& transfer);
//     Time step(Time cycle);        // the next cycle with something to do, or `never` before another push()
//     answers()                     // of the last step()
//     Time least_delay() const      // in cycles: of every answer
//     void settle(Time cycle)       // counts everything before this cycle
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/units.h"
#include "models/memory/observed.h"
#include "models/memory/requests.h"
#include "models/structures/sectors.h"

namespace models {

// Some sectors of a line, to be read or written.
struct DramTransfer {
    std::uint32_t line = 0;              // of the channel, counted in lines of the model's `line_bytes`
    std::uint16_t tag = 0;               // returned with the answer
    SectorMask sectors = block_sectors;  // one at least
    bool is_write = false;
    MemoryClient client = MemoryClient::texture;
    std::uint8_t spare[3] = {};
};

// What is around a model.
struct DramHost {
    std::vector<int> slices;                // entries of the queue for each L2 slice
    engine::Time period = 1;                // ticks of a cycle
    std::int64_t line_bytes = block_bytes;  // that a transfer has at most: 64 or 128
    bool observes_latency = false;
};

// From the arrival of a read until its last byte, in DRAM cycles.
using DramLatencies = engine::HistogramRow<memory_clients>;
inline std::unique_ptr<DramLatencies> dram_latencies(const engine::CounterScope& scope, const DramHost& host) {
    if (!host.observes_latency) return nullptr;
    return std::make_unique<DramLatencies>(scope, "read_latency", memory_client_names, "cycle",
                                           "DRAM cycles from the arrival of a read until its last byte",
                                           latency_scale());
}

struct DramAnswerTo {
    DramReply reply;
    std::uint32_t slice = 0;
    engine::Time delay = 0;  // in DRAM cycles
};
using DramAnswers = std::vector<DramAnswerTo>;

}  // namespace models
