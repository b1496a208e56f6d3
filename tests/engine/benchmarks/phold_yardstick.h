// The yardstick of PHOLD: the same model on one std::priority_queue, as any programmer would write it. Same events,
// same order, same digest as the kernel's model; one thread.
#pragma once

#include "tests/engine/benchmarks/phold_process.h"

namespace engine::benchmarks {

PholdOutcome run_phold_yardstick(const PholdShape& shape);

}  // namespace engine::benchmarks
