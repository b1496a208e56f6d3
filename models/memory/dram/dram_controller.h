// Component: a DRAM channel of which every command is played: its controller and its banks (bank_timing.h).
//
// Requests wait in a first-in first-out queue for each L2 slice, whose credits are the room in it. From there they
// pass, one a cycle and the slices in turn, into two common queues. Reads go first. Writes are collected: they are
// answered when they enter their queue and go to the banks when write_high of them wait, until write_low are left, or
// when there are no reads. Where more writes come meanwhile, as many go as there were beyond write_low, and then the
// reads that wait, before writes are collected again: neither keeps the other from going on. A read of sectors that
// wait to be written is answered from the write queue; if only some of them do, it stays in the queue of its slice
// until they have been written, as a write of sectors that wait to be read does until they have been.
//
// Of the requests of a queue the oldest whose row is open goes first, then the oldest of all (first ready, first come,
// first served); but no more than row_hit_cap pass one that waits for another row of their bank. A request
// may take several bursts, which are commands of their own; of a burst all is moved, asked for or not. Refresh has
// priority: from its time on nothing else is issued to the banks concerned until it is done. Refreshes that fall due
// while nothing waits are made up for when something does: they cost no step.
//
// The answer to a read is given when its last command is issued, its delay is what remains: the read latency and a
// burst.
//
// Not modelled: ranks, power-down and self refresh, refreshes put off, what a masked write takes longer, temperature,
// calibration.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/base/time_account.h"
#include "models/memory/dram/bank_timing.h"
#include "models/memory/dram/dram_energy.h"
#include "models/memory/dram/dram_parameters.h"
#include "models/memory/dram/dram_transfer.h"
#include "models/structures/ring_queue.h"

namespace models {

class DramController {
  public:
    using Time = engine::Time;
    static constexpr std::string_view name = "timed";

    DramController(const engine::CounterScope& scope, const DramParameters& dram, const DramHost& host);

    // Commands are written there from now on; nullptr: nowhere. Not part of the state.
    void log_commands(std::vector<DramCommand>* log) { log_ = log; }

    bool has_room(int slice) const { return !slices_[static_cast<std::size_t>(slice)].full(); }
    void push(Time cycle, int slice, const DramTransfer& transfer);
    Time step(Time cycle);
    const DramAnswers& answers() const { return answers_; }
    Time least_delay() const { return read_delay_; }
    void settle(Time cycle);
    std::string unfinished() const;
    DramActivity activity() const;
    std::uint32_t open_rows() const { return timing_.open_rows(); }

    void add_laws(Laws& laws, const std::string& name) const;
    void serialize(engine::Archive& archive);

  private:
    enum State : std::uint8_t { idle, transfers, banks, states };
    struct Waiting {
        Time arrival = 0;
        DramTransfer asked;
        std::uint32_t spare = 0;
    };
    struct Entry {
        Time arrival = 0;
        DramTransfer asked;
        std::uint32_t row = 0;
        std::uint32_t slice = 0;
        std::uint16_t bank = 0;
        std::uint8_t bursts = 0;  // still to be commanded
        std::uint8_t spare = 0;
    };
    static constexpr std::uint32_t nothing = 0xffffffff;

    // What is issued next, unless something comes before. Never: nothing.
    struct Plan {
        Time cycle = engine::never;
        std::uint32_t entry = 0;  // of the queue that is served; of reads and writes
        std::uint16_t bank = 0;
        DramOperation operation = DramOperation::activate;
        std::uint8_t spare = 0;
        bool is_of_refresh() const { return entry == nothing; }
    };
    enum class Opened : std::uint8_t { used, after_close, after_conflict };
    struct Bank {
        std::uint32_t oldest = 0, hit = 0;  // in the queue that is served; of banks of note_banks()
        std::uint32_t overtakers = 0;       // requests that passed the oldest one for another row
        Opened opened = Opened::used;       // the row, and not accessed yet
        bool conflict = false;              // the row before was closed for another one
        void serialize(engine::Archive& archive) { archive(oldest, hit, overtakers, opened, conflict); }
    };

    void begin_drain();
    void end_drain();
    bool serves_writes() const { return !writes_.empty() && (draining_ || reads_.empty()); }
    const std::vector<Entry>& queue_served() const { return serves_writes() ? writes_ : reads_; }
    void catch_up(Time cycle);
    bool accept(Time cycle);
    bool accept_from(std::uint32_t slice, Time cycle);
    bool accept_read(std::uint32_t slice, const Waiting& waiting);
    bool accept_write(std::uint32_t slice, const Waiting& waiting);
    static SectorMask sectors_in(const std::vector<Entry>& queue, std::uint32_t line);
    void forward(std::uint32_t slice, const Waiting& waiting, Time cycle);
    std::uint8_t bursts_of(SectorMask sectors) const;
    Entry entry_of(std::uint32_t slice, const Waiting& waiting) const;
    void make_plan(Time from);
    void consider(std::uint32_t bank, const std::vector<Entry>& queue, Time from);
    void plan_newest(Time from);
    std::uint32_t note_banks(const std::vector<Entry>& queue);
    Plan plan_for(std::uint32_t bank, const std::vector<Entry>& queue, bool writes) const;
    Plan refresh_plan() const;
    bool is_due(std::uint32_t bank) const;
    bool closes_row(const std::vector<Entry>& queue, std::uint32_t entry) const;
    void issue();
    void transfer(std::vector<Entry>& queue, std::uint32_t index, bool write);
    void count_access(Bank& bank);
    void finish(const Entry& entry, bool write);
    void count_latency(const DramTransfer& read, Time cycles);
    void note_close(Bank& bank);
    void note_refresh();
    void count_standby(Time cycle);

    // Shape.
    Time period_;
    DramDevice device_;
    PagePolicy page_;
    RefreshPolicy refresh_;
    std::uint32_t row_hit_cap_;
    std::size_t read_queue_, write_queue_, write_high_, write_low_;
    std::uint32_t burst_sectors_;
    Time read_delay_;  // from a read to its last data
    AddressMapping mapping_;
    std::vector<DramCommand>* log_ = nullptr;
    DramAnswers answers_;

    // State.
    BankTiming timing_;
    std::vector<Bank> banks_;
    std::vector<RingQueue<Waiting>> slices_;
    std::uint32_t waiting_ = 0;          // in all of them
    std::uint32_t turn_ = 0;             // the slice that is asked first
    std::vector<Entry> reads_, writes_;  // oldest first
    Plan plan_;
    bool draining_ = false;
    std::uint32_t batch_ = 0;  // writes, or if it does not drain reads, that go before that changes again
    Time refresh_due_;
    std::uint32_t refresh_turn_ = 0;
    Time counted_ = 0;     // up to here the standby times are
    Time refreshing_ = 0;  // until then
    Time bus_busy_ = 0;    // until then, moved ahead by the latency of data

  public:
    engine::CounterRow<dram_operations> commands;
    engine::CounterRow<memory_clients> client_bytes;
    engine::Counter reads, writes, forwarded, bursts, bursts_forwarded, bytes, bytes_read, bytes_written, row_hits,
        row_misses, row_conflicts, rows_unused, latency_cycles, queue_reads, queue_writes, active_standby,
        precharge_standby, refresh_time;
    TimeAccount<states> time;  // of its data bus

  private:
    std::unique_ptr<DramLatencies> latencies_;  // null: they are not observed
};

}  // namespace models
