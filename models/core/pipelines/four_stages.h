// Pipelines of four stages, one instruction wide: fetch, decode, execute, write back, with a latch behind fetch, before
// decode and before execute, and no buffer. Warps are fetched for in turn, one instruction a cycle.
//
// Zero load, cycles after the fetch: 1 decode (with the read of its operands), 2 execute, latency later written back;
// then, in the same cycle, an instruction that needs the result can be decoded.
//
// A host of rules says what happens to an instruction that depends on one that is under way, how many results are
// written in a cycle, and which functional units there are: baseline.h, squash.h.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/core/instruction_timing.h"
#include "models/core/pipelines/instruction_fetch.h"
#include "models/core/pipelines/result_queue.h"
#include "models/core/pipelines/scoreboard.h"

namespace models {

class FourStages {
  public:
    struct Rules {
        // An instruction that has to wait for a result is squashed, with the younger one of its warp behind it, and
        // fetched again. If not, it stalls, and all behind it.
        bool squashes;
        std::uint32_t write_ports;           // results written per cycle; 0: as many as come
        std::array<std::uint32_t, 3> units;  // that work on a thread in a cycle, by Unit; 0: as many as it takes
    };

    FourStages(const PipelineSite& site, const Rules& rules);

    void begin_frame();
    bool has_registers_for(const DecodedProgram& /*program*/) const { return true; }
    void launch(engine::Time now, std::uint32_t slot);
    void left(std::size_t /*age*/, std::uint32_t slot) { fetch_.end(slot); }
    engine::Time step(engine::Time now, TextureUnit& textures);
    void instruction_arrived(engine::Time now, std::uint32_t slot);
    void set_awaits_constants(bool awaits) { awaits_constants_ = awaits; }
    void texture_done(std::uint32_t slot, std::uint16_t destination, engine::Time time);
    void retry(engine::Time /*now*/) { fetch_.retry(); }
    engine::Time look(engine::Time now) { return now; }
    void settle(engine::Time now) { time_.settle(now); }
    void add_laws(Laws& laws, const std::string& core) const;
    void serialize(engine::Archive& archive);

  private:
    static constexpr std::uint16_t nobody = InstructionFetch::nobody;
    struct Latch {
        engine::Time ready_at = 0;
        std::uint16_t number = nobody;  // of fetch_
        std::uint16_t spare = 0;
        std::uint32_t spare_too = 0;
        bool is_empty() const { return number == nobody; }
    };

    bool write_back(engine::Time now);
    void retire(engine::Time now, const Result& result);
    bool ask(engine::Time now, TextureUnit& textures);
    bool takes_texture(engine::Time now, std::uint32_t accesses, TextureUnit& textures);
    bool execute(engine::Time now, TextureUnit& textures);
    bool decode(engine::Time now);
    bool fetch(engine::Time now);
    void take(const InstructionFetch::Taken& taken, bool again, engine::Time decoded_at, std::uint32_t slot);
    void squash(Latch& latch);
    bool has_hazard(std::uint16_t number) const;
    void finish_if_done(std::uint32_t slot);
    CoreState classify(engine::Time now) const;
    CoreState awaited_by(std::uint16_t number) const;

    // Shape.
    const Workload& workload_;
    ResidentWarps& warps_;
    CoreTime& time_;
    InstructionTrace& trace_;
    engine::Time period_, fetch_time_;
    Rules rules_;
    InstructionTiming timing_;

    // State.
    Latch fetched_, to_decode_, to_execute_;
    Latch asking_;                                // a texture instruction that its unit works on
    std::array<engine::Time, 3> unit_free_ = {};  // by Unit
    std::vector<std::uint32_t> in_pipeline_;      // by slot: fetched and not retired
    Scoreboard scoreboard_;
    std::vector<std::uint32_t> traced_;  // by place of scoreboard_: the texture instruction under way to it, in trace_
    ResultQueue results_, without_result_;  // the others, which need no port
    std::uint32_t fetch_turn_ = 0;
    bool awaits_constants_ = false;
    bool waits_for_room_ = false;         // of the texture unit
    std::vector<std::uint32_t> arrived_;  // slots whose line came while the latch was taken
    InstructionFetch fetch_;

  public:
    engine::Counter squashes, instructions_retired;
};

}  // namespace models
