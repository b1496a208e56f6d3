// Which components of its operands an instruction really reads. The executor fetches these only, and the timing models
// count register reads by them.
#pragma once

#include <cstdint>

#include "models/functional/shader_batch.h"
#include "models/shader/opcode.h"

namespace models::functional::tgsi {

// Components of source `source` (before its swizzle; bit 0 is x) that produce the components `written`. `target` is
// that of a texture instruction.
std::uint8_t components_read(Opcode opcode, int source, std::uint8_t written, TextureTarget target);

// Loads, stores, atomic operations and queries of a size: their first operand in the text is a buffer, an image or
// shared memory.
constexpr bool has_storage_operand(Opcode opcode) {
    return opcode >= Opcode::load && opcode <= Opcode::resq;
}

// The value of source `source` is an integer: a negation of it is an integer negation.
bool reads_integer(Opcode opcode, int source);

}  // namespace models::functional::tgsi
