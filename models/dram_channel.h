// Logical process: a DRAM channel, its controller and its banks: first come, first served; open rows; one data bus.
//
// A request whose row is open has its last byte after row_hit_latency when nothing else is in the way, any other after
// row_miss_latency. Accesses to different banks overlap but for the data bus, which a line occupies for
// 64 B x channels / bytes_per_cycle DRAM cycles. A row is opened when the bank's last data have passed.
//
// Not modelled: reordering, refresh, the turn of the bus between reads and writes, power states.
//
// As nothing is reordered, the time of an answer is known when the request arrives, and the process never has to wake.
#pragma once

#include <string>
#include <vector>

#include "engine/block.h"
#include "models/machine_parameters.h"
#include "models/messages.h"

namespace models {

class DramChannel : public engine::EventDriven<DramChannel> {
  public:
    // `ports`: L2 slices.
    DramChannel(int index, const MachineParameters& parameters, int ports);

    double cost_hint() const override { return 0.1; }

  private:
    struct Bank {
        std::uint64_t row = ~std::uint64_t{0};
        engine::Time row_open = 0;   // when columns of the row can be accessed
        engine::Time data_done = 0;  // when the bank's last data have passed
    };
    void on_request(const DramRequest& request, int port);

    // Shape, in ticks and blocks.
    engine::Time period_, burst_, row_hit_, row_miss_;
    std::uint64_t interleave_, channels_, row_blocks_;

    // State.
    std::vector<Bank> banks_;
    engine::Time bus_free_ = 0;

  public:
    engine::Row<engine::In<DramRequest>> requests;
    engine::Row<engine::Out<DramReply>> replies;

  private:
    engine::Counter reads_{&counters(), "reads", "1", "lines read"};
    engine::Counter writes_{&counters(), "writes", "1", "lines written"};
    engine::Counter bytes_{&counters(), "bytes", "byte", "data moved"};
    engine::Counter row_hits_{&counters(), "row_hits", "1", "requests that found their row open"};
    engine::Counter row_misses_{&counters(), "row_misses", "1", "requests that had a row opened"};
    engine::Counter busy_cycles_{&counters(), "busy_cycles", "cycle", "DRAM cycles in which the data bus was busy"};
    engine::Counter latency_cycles_{
        &counters(), "latency_cycles", "cycle",
        "DRAM cycles from arrival to last byte, summed; divided by requests: mean latency; by time: mean queue"};
};

}  // namespace models
