// The machine-shaped load (machine_shape_blocks.h) in a plain sequential loop without a kernel: the floor that a kernel
// is measured against. Same work, same messages, same digest as the kernel's model.
#pragma once

#include <string>
#include <vector>

#include "tests/engine/benchmarks/machine_shape_blocks.h"

namespace engine::benchmarks {

enum class FloorOrder {
    block_major,  // one block after the other, each for a whole window
    cycle_major,  // one cycle after the other, all blocks in each
};

MachineOutcome run_machine_floor(const MachineShape& shape, FloorOrder order);

}  // namespace engine::benchmarks
