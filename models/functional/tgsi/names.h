// The names in TGSI text other than opcodes and texture targets, and the reasons why some of them are refused.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/functional/tgsi/shader.h"

namespace models::functional::tgsi {

std::optional<Semantic> find_semantic(std::string_view name);
std::optional<Interpolation> find_interpolation(std::string_view name);
std::optional<InterpolationLocation> find_location(std::string_view name);
std::optional<TexelType> find_texel_type(std::string_view name);
std::optional<RegisterFile> find_file(std::string_view name);
std::string_view file_name(RegisterFile file);

// Why Tessera does not execute an instruction or a register file that TGSI has; empty for names TGSI does not have.
std::string_view opcode_refusal(std::string_view name);
std::string_view file_refusal(std::string_view name);
std::string_view stage_refusal(std::string_view name);

}  // namespace models::functional::tgsi
