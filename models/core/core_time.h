// Where the time of a core goes, whatever its pipeline is.
#pragma once

#include <string>

#include "models/base/time_account.h"

namespace models {

enum class CoreState : std::uint8_t {
    empty,         // no warp is resident
    constants,     // nor can one start before its constants are there
    issue,         // an instruction is issued, or takes the issue port
    dependency,    // results are awaited
    texture_data,  // of a texture
    texture_unit,  // it has no room
    fetching,      // an instruction is not there
    finishing,     // warps have finished and cannot leave
    pipeline,      // a buffer behind the issue stage is full
};
inline constexpr std::size_t core_states = 9;

// The kinds of unit that a core may wait for: who gives it warps, its texture unit, who takes what they have computed.
struct CoreNeighbours {
    std::string source, textures, sink;
};

class CoreTime : public TimeAccount<core_states> {
  public:
    // `instructions`: the kind of unit that answers the instruction cache.
    CoreTime(const engine::CounterScope& scope, const CoreNeighbours& neighbours, std::string_view instructions,
             engine::Time period)
        : TimeAccount(scope,
                      {{{"empty", Activity::starved, neighbours.source},
                        {"constants", Activity::starved, instructions},
                        {"issue", Activity::busy},
                        {"dependency", Activity::starved, scope.kind()},
                        {"texture", Activity::starved, neighbours.textures},
                        {"texture_unit", Activity::blocked, neighbours.textures},
                        {"fetch", Activity::starved, instructions},
                        {"finish", Activity::blocked, neighbours.sink},
                        {"pipeline", Activity::blocked, scope.kind()}}},
                      period) {}
    void enter(engine::Time now, CoreState state) { TimeAccount::enter(now, static_cast<std::size_t>(state)); }
    void enter(engine::Time now, CoreState state, engine::Time until, CoreState next) {
        TimeAccount::enter(now, static_cast<std::size_t>(state), until, static_cast<std::size_t>(next));
    }
};

}  // namespace models
