// Component: a DRAM channel as two latencies and a bandwidth: banks with one open row each, and a data bus.
//
// A request of 64 bytes whose row is open has its last byte after row_hit_latency when nothing else is in the way, any
// other after row_miss_latency; the first byte of one of fewer or more comes as early. Banks work in parallel, and the
// bus takes whichever line is ready first: the oldest, of several. A bank serves the requests for its open row first,
// but at most row_hit_cap of them before an older one for another row.
//
// Not modelled: refresh, the turn of the bus between reads and writes, activation limits, power states.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/base/time_account.h"
#include "models/memory/dram/dram_parameters.h"
#include "models/memory/dram/dram_transfer.h"

namespace models {

class FlatDram {
  public:
    using Time = engine::Time;
    static constexpr std::string_view name = "flat";

    FlatDram(const engine::CounterScope& scope, const DramParameters& dram, const DramHost& host);

    void push(Time cycle, int slice, const DramTransfer& transfer);
    Time step(Time cycle);
    const DramAnswers& answers() const { return answers_; }
    Time least_delay() const { return burst(1); }
    void settle(Time cycle) { time.settle(cycle * period_); }
    std::string unfinished() const;

    void add_laws(Laws& laws, const std::string& name) const;
    void serialize(engine::Archive& archive);

  private:
    enum State : std::uint8_t { idle, transfers, banks, states };
    static constexpr std::uint32_t nothing = 0xffffffff;
    struct Bank {
        std::uint64_t row = ~std::uint64_t{0};  // open
        Time row_open = 0;                      // when its columns can be accessed
        std::uint32_t claimed = 0;              // requests for the open row that are under way
        std::int32_t overtakers = 0;            // requests that went before the oldest one for another row
        std::uint32_t waiting = nothing;        // that oldest one, in the queue; valid within claim()
        std::uint32_t spare = 0;
    };
    struct Request {
        std::uint64_t row = 0;
        Time arrival = 0;
        Time ready_at = engine::never;  // when the bank has its data for the bus; never: not claimed
        DramTransfer asked;
        std::uint32_t slice = 0, bank = 0, spare = 0;
    };
    Time burst(SectorMask sectors) const {
        return (burst_ * bytes_of(sectors) + block_bytes - 1) / static_cast<Time>(block_bytes);
    }
    void claim(Time cycle);
    bool claim_hits(Time cycle);
    void claim_request(Request& request, Time cycle);
    void transfer(Time cycle);
    Time next_after(Time cycle) const;

    // Shape, in cycles and lines.
    Time period_, burst_, row_hit_, row_miss_;  // the burst: of 64 bytes
    std::uint64_t row_lines_;
    int row_hit_cap_;
    DramAnswers answers_;

    // State.
    std::vector<Bank> banks_;
    std::vector<Request> queue_;  // by age, oldest first
    Time bus_free_ = 0;
    std::uint32_t on_bus_ = nothing;  // bank whose data are on the bus
    bool may_claim_ = false;          // a request has come since the banks were looked at, or a bank has become free

  public:
    engine::CounterRow<memory_clients> client_bytes;
    engine::Counter reads, writes, bytes, bytes_read, bytes_written, row_hits, row_misses, latency_cycles;
    TimeAccount<states> time;  // of its data bus

  private:
    std::unique_ptr<DramLatencies> latencies_;  // null: they are not observed
};

}  // namespace models
