// Plays a load on main memory alone: channels with their controllers, fed from one source. What `tessera dram` does and
// what the figures of ../shared/data/dram are compared with.
//
// Requests are lines of 64 bytes. They wait in an in-order source queue, whose head blocks the rest until its channel
// has room; as many go in a cycle as there are channels. A load arrives in one of three ways: each after the answer to
// the one before (a chase), as soon as there is one of 64 entries in the source queue (saturated), or at times of its
// own (an unbounded queue). The latency of a read counts from its arrival in the source queue to its last byte; writes
// have none.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "models/memory/dram/dram_controller.h"

namespace models {

struct DramAccess {
    Address address = 0;
    bool is_write = false;
    engine::Time arrival = 0;  // in cycles, not before that of the one before; counts with DramArrival::at_times
};

enum class DramArrival : std::uint8_t { chase, saturated, at_times };  // a chase: of reads

struct DramLoad {
    DramArrival arrival = DramArrival::saturated;
    std::function<std::optional<DramAccess>()> next;  // nothing: that was all
};

struct DramFigures {
    std::uint64_t requests = 0, reads = 0;
    engine::Time cycles = 0;              // until the last command, or byte of a read
    double seconds = 0;                   // the same
    double bandwidth = 0;                 // bytes per second
    double row_hit_ratio = 0;             // of bursts
    double energy_per_bit = 0;            // joules
    std::vector<engine::Time> latencies;  // of reads, in cycles, ascending

    double mean_latency() const;                         // cycles; of one read at least
    engine::Time latency_percentile(int percent) const;  // the least one that so many reads do not exceed
};

class DramDriver {
  public:
    static constexpr std::size_t source_queue = 64;

    // The model of the parameters is the timed one; they are checked.
    explicit DramDriver(const DramParameters& dram);

    DramFigures play(const DramLoad& load);  // once

    DramController& controller(int channel) { return *channels_[static_cast<std::size_t>(channel)].controller; }

  private:
    class Source;
    struct Channel {
        std::unique_ptr<engine::CounterList> counters;
        std::unique_ptr<DramController> controller;
        engine::Time next = engine::never;  // step
    };
    Channel& channel_of(const DramAccess& access);
    void send(const DramAccess& access, engine::Time now);
    void step(Channel& channel, engine::Time now, Source& source);
    DramFigures figures();

    const DramParameters& dram_;
    ChannelInterleave interleave_;
    std::vector<Channel> channels_;
    std::vector<engine::Time> arrivals_;    // of reads on their way, by tag
    std::vector<std::uint16_t> free_tags_;  // of reads
    engine::Time end_ = 0;
    DramFigures figures_;
};

}  // namespace models
