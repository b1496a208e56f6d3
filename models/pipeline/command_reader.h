// Reads the command stream of a frame ahead of the command processor, lines in their order, at most
// geometry.command_lines of them further than the lines that the next draw's commands may lie in. A component.
//
// Zero load: a draw waits for the round trip to memory only if the ones before it took less time than that.
// Not modelled: jumps to further command buffers, synchronisation with the driver.
#pragma once

#include <cstdint>
#include <vector>

#include "models/memory/memory_port.h"
#include "models/pipeline/geometry_parameters.h"
#include "models/workload/workload.h"

namespace models {

class CommandReader {
  public:
    // `part`: its number among those that share the memory port.
    CommandReader(const engine::CounterScope& scope, const GeometryParameters& parameters, const Workload& workload,
                  MemoryPort& memory, int part, engine::Time period);

    void begin_frame();

    // The commands of the next draw are there.
    bool has_draw() const;
    void take_draw() { ++taken_; }

    // One cycle. True if a line was asked for.
    bool step(engine::Time now);
    void on_line(RequestTag tag) { arrived_[tag.entry] = 1; }

    void serialize(engine::Archive& archive) { archive(taken_, line_, arrived_); }

    engine::Counter command_lines;

  private:
    const Workload& workload_;
    MemoryPort* memory_;
    int part_;
    engine::Time period_;

    std::uint32_t taken_ = 0;            // draws of the frame that have been executed
    std::uint32_t line_ = 0;             // of the frame, to be requested next
    std::vector<std::uint8_t> arrived_;  // by line modulo its size
};

}  // namespace models
