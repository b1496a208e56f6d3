// What a core does in a cycle, or waits for, whatever its pipeline is.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace models {

enum class CoreState : std::uint8_t {
    empty,         // no warp is resident
    constants,     // nor can one start before its constants are there
    issue,         // an instruction is issued, or takes the issue port
    dependency,    // results are awaited, or one that the instruction cache has is on its way to its issue
    texture_data,  // of a texture
    texture_unit,  // it has no room
    fetching,      // a line of instructions is not there
    finishing,     // warps have finished and cannot leave
    pipeline,      // a buffer behind the issue stage is full, or a unit cannot begin another instruction yet
};
inline constexpr std::size_t core_states = 9;
// As results call them.
inline constexpr std::array<std::string_view, core_states> core_state_names{
    "empty", "constants", "issue", "dependency", "texture", "texture_unit", "fetch", "finish", "pipeline"};

}  // namespace models
