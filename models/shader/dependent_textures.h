// Which texture instructions sample at a place that a texture read before decides (dependent reads): a prefetcher
// cannot know their addresses ahead.
//
// An instruction depends on a texture if it reads what was computed from its result, or if it is executed or not
// according to it. Registers are told apart one by one along straight code and branches; within loops, switches and
// programs with subroutines what a register once held is not forgotten. A register that is chosen by an address
// register stands for its whole file. The size of a texture is known ahead: TXQ reads none.
#pragma once

#include <vector>

#include "models/shader/program.h"

namespace models {

// Sets Instruction::dependent of all instructions of a program.
void find_dependent_textures(std::vector<Instruction>& instructions);

}  // namespace models
