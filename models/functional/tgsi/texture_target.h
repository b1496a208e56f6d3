// What a texture target means for the operands of texture instructions.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "models/functional/shader_batch.h"

namespace models::functional::tgsi {

struct TargetInfo {
    std::string_view name;  // as in TGSI text
    TextureTarget target;
    std::uint8_t coordinates;  // components of the coordinate operand, the array layer included
    std::uint8_t derivatives;  // of them, those that have derivatives
    std::int8_t reference;     // component of the coordinate operand with the shadow reference, or -1:
                               // shadow_cube_array has it in the second operand
    bool has_levels;           // TXF takes a level, or a sample
    bool only_fetched;         // no other instruction but TXQ
};

const TargetInfo& target_info(TextureTarget target);
std::optional<TextureTarget> find_target(std::string_view name);

}  // namespace models::functional::tgsi
