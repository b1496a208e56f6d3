// The pipeline of paper 002, section 3.2, as it is in TEAPOT: a register file in banks, whose reads are collected.
//
//     fetch      two consecutive instructions of one warp a cycle, of one line of the instruction cache, chosen in
//                turn among the warps that have none in their two-entry instruction buffer and are not blocked
//     decode     a cycle
//     issue      an instruction each of `issue_width` warps, as the scheduler chooses; the scoreboard holds back what
//                would read or write a register that an instruction before it has not written (RAW, WAW), or write
//                one that it has not read (WAR). The end of a program waits until all of its warp has retired
//     issue buffer (IS_OC), in order
//     collect    a free collector unit is allotted; its operands are read, one per bank and per unit a cycle, matched
//                by a wavefront allocator; when all are there it is dispatched, the units in turn
//     dispatch buffer (OC_EX), oldest first, but one that cannot go lets others pass
//     execute    functional units that are all alike and pipelined; an instruction begins only if the write port of its
//                destination's bank is free when its result comes. Textures go to the texture unit, ends of programs to
//                none: intervals do not hold them
//     write back a port for every bank, and one for textures: the scoreboard is cleared
//
// A stage sees what the one before it did in the cycle before. Zero load, cycles after the fetch of an instruction with
// n operands: 1 decode, 2 issue, 3 allotted, 4 to 3 + n reads, 4 + n dispatched, 5 + n executed, latency later written
// back.
//
// Registers are allotted when a warp begins, as many as its program has (temporaries, outputs, addresses, inputs);
// constants and immediates are read without a port. What comes after a branch is fetched when it has been executed.
//
// Deadlock: an instruction waits only for older ones of its warp, and for room. Everything behind the issue stage
// leaves by itself: operands are read as registers are there, results have their ports booked, and textures come back.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "models/core/instruction_timing.h"
#include "models/core/pipelines/collector_statistics.h"
#include "models/core/pipelines/instruction_fetch.h"
#include "models/core/pipelines/operand_collector.h"
#include "models/core/pipelines/result_queue.h"
#include "models/core/pipelines/scoreboard.h"
#include "models/core/schedulers/scheduler.h"
#include "models/structures/divisor.h"
#include "models/structures/ring_queue.h"

namespace models {

class Collector {
  public:
    static constexpr std::string_view name = "collector";
    static constexpr auto slot_choice = ResidentWarps::SlotChoice::in_turn;

    explicit Collector(const PipelineSite& site);

    void begin_frame();
    bool has_registers_for(const DecodedProgram& program) const { return registers_free_ >= program.file_registers; }
    void launch(engine::Time now, std::uint32_t slot);
    void left(std::size_t age, std::uint32_t slot);
    engine::Time step(engine::Time now, TextureUnit& textures);
    void instruction_arrived(engine::Time now, std::uint32_t slot);
    void set_awaits_constants(bool awaits) { awaits_constants_ = awaits; }
    void texture_done(std::uint32_t slot, std::uint16_t destination, engine::Time time);
    void retry(engine::Time /*now*/) { fetch_.retry(); }
    engine::Time look(engine::Time now) { return now; }
    void settle(engine::Time now);
    void add_laws(Laws& laws, const std::string& core) const;
    void serialize(engine::Archive& archive);

  private:
    static constexpr std::uint16_t nobody = InstructionFetch::nobody;

    struct Front {                                               // of a warp
        std::array<std::uint16_t, 2> buffer = {nobody, nobody};  // instructions of fetch_, decoded or about to be
        std::uint32_t count = 0;                                 // of them
        std::uint32_t in_flight = 0;                             // issued and not retired
        std::uint32_t spare = 0;
        engine::Time decoded_at = 0;  // they can be issued from then on
    };

    // The stages, each in a cycle; true if something moved, or may move in the next one.
    bool write_back(engine::Time now);
    bool execute(engine::Time now, TextureUnit& textures);
    bool dispatch(engine::Time now);
    bool read(engine::Time now);
    bool allot(engine::Time now);
    bool issue(engine::Time now);
    bool try_issue(engine::Time now, std::uint32_t slot);
    bool fetch(engine::Time now);

    enum class Fate : std::uint8_t { begins, waits, next_cycle };
    Fate begin(engine::Time now, std::uint16_t number, TextureUnit& textures);
    void retire(const Result& result);
    void buffer(const InstructionFetch::Taken& taken, engine::Time decoded_at, std::uint32_t slot);
    void finish_if_done(std::uint32_t slot);
    void park(std::uint32_t slot);
    void unpark(std::uint32_t slot);
    CoreState hazard(std::uint32_t slot) const;
    CoreState held_back() const;
    bool awaits_refused(std::uint32_t slot) const;
    bool is_full_of_refused() const;
    CoreState classify(engine::Time now) const;
    engine::Time next_event(engine::Time now) const;

    std::uint64_t cycle_of(engine::Time time) const { return static_cast<std::uint64_t>(cycles_.of(time)); }
    std::uint32_t bank(std::uint32_t warp, std::uint32_t number) const {
        return banks_.remainder(warp_shift_ ? warp + number : number);
    }

    // Shape.
    const Workload& workload_;
    ResidentWarps& warps_;
    CoreTime& time_;
    InstructionTrace& trace_;
    engine::Time period_;
    engine::Windows cycles_;  // divides by the period
    engine::Time fetch_time_;
    Divisor banks_;
    std::uint32_t issue_width_, issue_ports_, dispatch_ports_, functional_units_, all_registers_;
    bool warp_shift_;
    InstructionTiming timing_;

    // State. A warp's slot indexes fronts_; instructions are those of fetch_.
    std::vector<Front> fronts_;
    std::uint64_t has_instructions_ = 0;  // mask of slots
    std::uint64_t held_back_ = 0;         // of them, whose next instruction has a hazard, until something of it changes
    std::uint32_t registers_free_;
    RingQueue<std::uint16_t> issued_;  // the issue buffer
    OperandCollector operands_;
    std::size_t dispatch_room_;
    std::vector<std::uint16_t> dispatched_;  // the dispatch buffer, oldest first
    std::vector<engine::Time> unit_free_;    // functional units
    struct Booked {
        engine::Time at = -1;
        std::uint64_t banks = 0;  // whose write ports are taken then
    };
    std::vector<Booked> write_ports_;  // by cycle modulo its size
    Scoreboard scoreboard_;
    std::vector<std::uint32_t> traced_;  // by place of scoreboard_: the texture instruction under way to it, in trace_
    ResultQueue results_;
    engine::Time texture_port_free_ = 0;
    std::uint32_t fetch_turn_ = 0;  // slot
    Scheduler scheduler_;
    std::uint64_t parked_ = 0;  // mask of slots, as the scheduler has been told
    bool awaits_constants_ = false;
    engine::Time counted_at_ = 0;
    struct {  // after the last step
        std::uint32_t warps = 0, registers = 0;
    } resident_;
    struct {  // within a step
        std::uint32_t textures = 0, ends = 0;
    } begun_;
    std::uint64_t refused_ = 0;  // mask of slots, within a step: the texture unit has no room for one of theirs
    std::uint64_t to_park_ = 0;  // mask of slots, within issue()
    InstructionFetch fetch_;
    CollectorStatistics statistics_;
};

}  // namespace models
