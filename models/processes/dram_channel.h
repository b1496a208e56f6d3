// Logical process: a DRAM channel: its controller, its banks with one open row each, and its data bus.
//
// A request whose row is open has its last byte after row_hit_latency when nothing else is in the way, any other after
// row_miss_latency. Banks work in parallel, and the bus takes whichever line is ready first: the oldest, of several. A
// bank serves the requests for its open row first, but at most row_hit_cap of them before an older one for another row.
//
// Not modelled: refresh, the turn of the bus between reads and writes, activation limits, power states.
#pragma once

#include <string>
#include <vector>

#include "engine/block.h"
#include "models/base/time_account.h"
#include "models/memory/dram_parameters.h"
#include "models/memory/requests.h"

namespace models {

class DramChannel : public engine::EventDriven<DramChannel> {
  public:
    struct Shape {
        const DramParameters& dram;
        int index, ports;  // L2 slices
        engine::Time period;
    };
    explicit DramChannel(const Shape& shape);

    void end_frame() { time.settle(now()); }

    void on_wake();
    std::string unfinished() const override;
    double cost_hint() const override { return 0.1; }
    void serialize(engine::Archive& archive) override;
    void add_laws(Laws& laws) const;

  private:
    enum State : std::uint8_t { idle, transfers, banks, states };
    static constexpr std::uint32_t nothing = 0xffffffff;
    struct Bank {
        std::uint64_t row = ~std::uint64_t{0};  // open
        engine::Time row_open = 0;              // when its columns can be accessed
        std::uint32_t claimed = 0;              // requests for the open row that are under way
        std::int32_t overtakers = 0;            // requests that went before the oldest one for another row
        std::uint32_t waiting = nothing;        // that oldest one, in the queue; valid within claim()
        std::uint32_t spare = 0;
    };
    struct Request {
        std::uint64_t row = 0;
        engine::Time arrival = 0;
        engine::Time ready_at = engine::never;  // when the bank has its data for the bus; never: not claimed
        DramRequest message;
        std::uint32_t port = 0, bank = 0, spare = 0;
    };
    void on_request(const DramRequest& request, int port);

    engine::Time clock_edge() const { return (now() + period_ - 1) / period_ * period_; }
    void claim(engine::Time edge);
    bool claim_hits(engine::Time edge);
    void claim_request(Request& request, engine::Time edge);
    void transfer(engine::Time edge);
    void schedule(engine::Time edge);

    // Shape, in ticks and blocks.
    engine::Time period_, burst_, row_hit_, row_miss_;
    std::uint64_t interleave_, channels_, row_blocks_;
    int row_hit_cap_;

    // State.
    std::vector<Bank> banks_;
    std::vector<Request> queue_;  // by age, oldest first
    engine::Time bus_free_ = 0;
    std::uint32_t on_bus_ = nothing;  // bank whose data are on the bus
    bool may_claim_ = false;          // a request has come since the banks were looked at, or a bank has become free

  public:
    engine::Row<engine::In<DramRequest>> requests;
    engine::Row<engine::Out<DramReply>> replies;

    engine::CounterRow<memory_clients> client_bytes{&counters(), "bytes", memory_client_names, "byte", "data moved"};
    engine::Counter reads{&counters(), "reads", "1", "lines read"};
    engine::Counter writes{&counters(), "writes", "1", "lines written"};
    engine::Counter bytes{&counters(), "bytes", "byte", "data moved"};
    engine::Counter row_hits{&counters(), "row_hits", "1", "requests that found their row open"};
    engine::Counter row_misses{&counters(), "row_misses", "1", "requests that had a row opened"};
    engine::Counter latency_cycles{
        &counters(), "latency_cycles", "cycle",
        "DRAM cycles from arrival to last byte, summed; divided by requests: mean latency; by time: mean queue"};
    // In DRAM cycles: of its data bus.
    TimeAccount<states> time{&counters(),
                             {{{"idle", Activity::starved, "l2_slice"},
                               {"transfer", Activity::busy},
                               {"waits_banks", Activity::starved, "dram_channel"}}},
                             period_};
};

}  // namespace models
