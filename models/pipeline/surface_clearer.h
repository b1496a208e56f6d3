// Clears in immediate rendering: writes all lines of the render targets that a clear names, but for those that hold
// padding alone, whole, one a cycle. A component.
//
// Not modelled: clears that only note in a table that a surface has one colour; a clear of depths writes lines whole,
// be there stencils in them that stay or not.
#pragma once

#include <vector>

#include "models/memory/memory_port.h"
#include "models/workload/workload.h"

namespace models {

class SurfaceClearer {
  public:
    // `part`: its number among those that share the memory port.
    SurfaceClearer(const engine::CounterScope& scope, const Workload& workload, MemoryPort& memory, int part,
                   engine::Time period);

    void begin(std::uint32_t draw, std::uint32_t pass);
    // One cycle. True if a line was sent.
    bool step(engine::Time now);
    void on_written() { --in_flight_; }
    bool is_done() const { return runs_.empty() && in_flight_ == 0; }

    void serialize(engine::Archive& archive) { archive(runs_, in_flight_); }

    engine::Counter lines_cleared;

  private:
    struct Run {
        BlockNumber next = 0, end = 0;
        MemoryOperation operation = MemoryOperation::write_line;
        MemoryClient client = MemoryClient::colour;
        std::uint16_t spare = 0;
    };
    void add(const SurfaceBlocks& surface, MemoryClient client, MemoryOperation operation);

    const Workload& workload_;
    MemoryPort* memory_;
    RequestTag tag_;
    engine::Time period_;

    std::vector<Run> runs_;  // that are left, the next one last
    std::uint32_t in_flight_ = 0;
};

}  // namespace models
