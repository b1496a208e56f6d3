// What a texture target means for the operands of texture instructions.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "models/functional/shader_batch.h"

namespace models::functional::tgsi {

// What TXP does with the last component. A direction into a cube stays what it is, so it is not divided: GPUs do not,
// and the fixed functions of OpenGL have 0 there where an application generates it and says no more.
enum class Projection : std::uint8_t { divides, is_ignored, is_refused };

struct TargetInfo {
    std::string_view name;  // as in TGSI text
    TextureTarget target;
    std::uint8_t coordinates;  // components of the coordinate operand, the array layer included
    std::uint8_t derivatives;  // of them, those that have derivatives
    std::int8_t reference;     // component of the coordinate operand with the shadow reference, or -1:
                               // shadow_cube_array has it in the second operand
    bool has_levels;           // TXF takes a level, or a sample
    bool only_fetched;         // no other instruction but TXQ
    Projection projection;
};

const TargetInfo& target_info(TextureTarget target);
std::optional<TextureTarget> find_target(std::string_view name);

}  // namespace models::functional::tgsi
