// Where the time of a core goes, whatever its pipeline is, and to which program.
#pragma once

#include <array>
#include <string>

#include "models/base/time_account.h"
#include "models/core/core_state.h"
#include "models/core/program_profile.h"

namespace models {

// The kinds of unit that a core may wait for: who gives it warps, its texture unit, who takes what they have computed.
struct CoreNeighbours {
    std::string source, textures, sink;
};

class CoreTime : public TimeAccount<core_states> {
  public:
    // `instructions`: the kind of unit that answers the instruction cache.
    CoreTime(const engine::CounterScope& scope, const CoreNeighbours& neighbours, std::string_view instructions,
             ProgramProfile& programs, engine::Time period)
        : TimeAccount(scope,
                      {{{core_state_names[0], Activity::starved, neighbours.source},
                        {core_state_names[1], Activity::starved, instructions},
                        {core_state_names[2], Activity::busy},
                        {core_state_names[3], Activity::starved, scope.kind()},
                        {core_state_names[4], Activity::starved, neighbours.textures},
                        {core_state_names[5], Activity::blocked, neighbours.textures},
                        {core_state_names[6], Activity::starved, instructions},
                        {core_state_names[7], Activity::blocked, neighbours.sink},
                        {core_state_names[8], Activity::blocked, scope.kind()}}},
                      period),
          programs_(programs) {}
    void enter(engine::Time now, CoreState state) {
        if (programs_.has_changed()) [[unlikely]]
            tell_programs(now);
        TimeAccount::enter(now, static_cast<std::size_t>(state));
    }
    void enter(engine::Time now, CoreState state, engine::Time until, CoreState next) {
        if (programs_.has_changed()) [[unlikely]]
            tell_programs(now);
        TimeAccount::enter(now, static_cast<std::size_t>(state), until, static_cast<std::size_t>(next));
    }
    // Programs are told of all time until now, which was theirs up to now.
    void tell_programs(engine::Time now);

    void serialize(engine::Archive& archive) {
        TimeAccount::serialize(archive);
        archive(issuing_, oldest_, told_);
    }

  private:
    ProgramProfile& programs_;
    std::uint32_t issuing_ = 0, oldest_ = 0;            // programs whose the time is since it was told
    std::array<std::uint64_t, core_states> told_ = {};  // of `cycles`
};

}  // namespace models
