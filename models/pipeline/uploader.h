// The driver's writes to memory: they go on while the frame is rendered, in their order, as fast as memory takes them.
// Nothing waits for them: a driver writes ahead of the GPU, by a frame mostly, so what they cost is bandwidth. Whole
// lines, one a cycle. A component.
//
// A frame ends when its uploads have, too: of one that brings megabytes of textures (the first ones of a recording) the
// cycles are those of its uploads more than of its rendering, which the state "uploads" of geometry shows.
// The L2 cache has dropped what is written past it before the frame (Uploads); what is written into it takes the place
// of what was there when it comes.
#pragma once

#include "models/memory/memory_port.h"
#include "models/pipeline/geometry_parameters.h"
#include "models/workload/workload.h"

namespace models {

class Uploader {
  public:
    // `part`: its number among those that share the memory port.
    Uploader(const engine::CounterScope& scope, UploadPath path, const Workload& workload, MemoryPort& memory, int part,
             engine::Time period);

    void begin_frame();
    bool is_done() const { return !costs_ || run_ == workload_.uploads().runs().size(); }

    // One cycle. True if a line was sent.
    bool step(engine::Time now);

    void serialize(engine::Archive& archive) { archive(run_, next_line_); }

    engine::Counter lines_uploaded;

  private:
    const Workload& workload_;
    MemoryPort* memory_;
    RequestTag tag_;
    MemoryOperation operation_;
    bool costs_;
    engine::Time period_;

    std::uint32_t run_ = 0, next_line_ = 0;  // in Uploads::runs(), and in that run
};

}  // namespace models
