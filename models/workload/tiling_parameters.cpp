#include "models/workload/tiling_parameters.h"

#include "models/frame_trace/frame_trace.h"

namespace models {

void TilingParameters::check() const {
    require(block_bytes % list_entry.count() == 0,
            "tiling.list_entry: expected a divisor of 64 B, found " + std::to_string(list_entry.count()) + " B");
    require(parameter_buffer.count() % block_bytes == 0,
            "tiling.parameter_buffer: expected a multiple of 64 B, found " + std::to_string(parameter_buffer.count()) +
                " B");
}

}  // namespace models
