// A multithreaded core of a processor of shader programs: several resident warps, whose instructions go through a
// pipeline (pipelines/pipeline.h), one of a family. A component: its host gives it an instruction cache and a texture
// unit, which it may share with other cores.
//
// Not modelled: inputs are in registers when a warp starts, as constants are, which ConstantLoader brings.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>

#include "models/core/pipelines/pipeline.h"

namespace models {

// Throws InputError if a warp of the program (named `what`) could never begin on such a core.
void check_registers(const ShaderCoreParameters& parameters, const DecodedProgram& program, const std::string& what);

class ShaderCore {
  public:
    using Group = ResidentWarps::Group;
    using Launch = ResidentWarps::Launch;
    using Neighbours = CoreNeighbours;

    // `index`: among the cores of its host. `most_groups`: of a warp, if some have more than the parameters say (warps
    // of vertices on unified cores have a group for every thread).
    ShaderCore(const engine::CounterScope& scope, int index, const ShaderCoreParameters& parameters,
               const Workload& workload, Cache& instruction_cache, engine::Time period, const Neighbours& neighbours,
               const Observed& observed, int most_groups = 0);

    // Between frames, when no warp is resident; but a copy whose process another rank runs may be left in any state.
    void begin_frame() {
        warps_.programs().begin_frame(workload_.programs());
        pipeline_.visit([](auto& pipeline) { pipeline.begin_frame(); });
    }

    bool has_room() const { return warps_.has_room(); }
    bool is_empty() const { return warps_.count() == 0; }
    // There is room, and so many registers as the program (in FrameTrace::programs) needs.
    bool has_room_for(std::uint32_t program) const {
        return has_room() && pipeline_.visit([&](const auto& pipeline) {
            return pipeline.has_registers_for(workload_.program(program));
        });
    }

    // Starts a warp. Needs room for it.
    void launch(engine::Time now, const Launch& launch, std::span<const Group> groups);

    // One cycle. Returns the next cycle at which it has something to do by itself; `never` if only an answer or its
    // host can change that.
    engine::Time step(engine::Time now, TextureUnit& textures) {
        return pipeline_.visit([&](auto& pipeline) { return pipeline.step(now, textures); });
    }
    // The steps after now of this core and of its texture unit, which must be its own, for as long as nothing else
    // happens: before `others`, and no warp has finished. `at`: what step() returned. go_on_at(t) moves the host's
    // now() to t; false: it cannot. Returns when either has something to do.
    template <class GoOnAt, class Sink>
    engine::Time run(engine::Time now, engine::Time at, engine::Time others, TextureUnit& textures, Sink& sink,
                     GoOnAt&& go_on_at) {
        return pipeline_.visit([&](auto& pipeline) {
            for (;;) {
                const engine::Time textures_at = textures.next_after(now);
                const engine::Time next = std::min(at, textures_at);
                if (next >= std::min(others, warps_.finish_at()) || !go_on_at(next)) return next;
                now = next;
                if (textures_at == now) {
                    textures.step(now, sink);
                    at = std::min(at, pipeline.look(now));
                }
                if (at <= now) at = pipeline.step(now, textures);
            }
        });
    }

    // Whether a warp has executed its path and has all its results.
    bool has_finished(engine::Time now) const { return warps_.has_finished(now); }
    // The oldest of those for which may_leave(name) holds leaves its slot. False if there is none.
    template <class Predicate>
    bool take_finished(engine::Time now, Predicate&& may_leave, std::uint32_t& name) {
        const auto left = [this](std::size_t age, std::uint32_t slot) {
            pipeline_.visit([&](auto& pipeline) { pipeline.left(age, slot); });
        };
        return warps_.take_finished(now, may_leave, left, name);
    }

    // Answers: a line of the instruction cache for this warp; a texture access; any answer from memory.
    void instruction_arrived(engine::Time now, std::uint32_t slot) {
        pipeline_.visit([&](auto& pipeline) { pipeline.instruction_arrived(now, slot); });
    }
    void texture_done(std::uint32_t slot, std::uint16_t destination, engine::Time at) {
        pipeline_.visit([&](auto& pipeline) { pipeline.texture_done(slot, destination, at); });
    }
    void retry(engine::Time now) {
        pipeline_.visit([&](auto& pipeline) { pipeline.retry(now); });
    }
    // After answers: what it waits for is another thing now. Returns when it has something to do.
    engine::Time look(engine::Time now) {
        return pipeline_.visit([&](auto& pipeline) { return pipeline.look(now); });
    }
    // Warps are there to be launched, and their constants are not.
    void set_awaits_constants(bool awaits) {
        pipeline_.visit([&](auto& pipeline) { pipeline.set_awaits_constants(awaits); });
    }
    // Counts the time until now, and notes what programs cost.
    void end_frame(engine::Time now) {
        pipeline_.visit([&](auto& pipeline) { pipeline.settle(now); });
        time_.tell_programs(now);
        warps_.end_frame();
    }

    const ResidentWarps& warps() const { return warps_; }
    const CoreTime& time() const { return time_; }
    const InstructionTrace& trace() const { return trace_; }
    // `core`: its name in messages.
    void add_laws(Laws& laws, const std::string& core) const;
    void serialize(engine::Archive& archive) { archive(warps_, pipeline_, time_, trace_); }

  private:
    const Workload& workload_;
    ResidentWarps warps_;
    CoreTime time_;
    InstructionTrace trace_;
    Pipeline pipeline_;
};

}  // namespace models
