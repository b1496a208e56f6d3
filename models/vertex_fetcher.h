// The vertex fetcher: reads a draw's indices, decides which vertices have to be shaded (those that are not among the
// last shaded ones), gathers them into warps and gives these to the vertex processors in turn. Not a process: a member
// of the geometry process.
#pragma once

#include <vector>

#include "models/memory_port.h"
#include "models/ring_queue.h"
#include "models/vertex_processor.h"
#include "models/workload.h"

namespace models {

class VertexFetcher {
  public:
    // What assembly needs to know of an index: which processor shades its vertex, or that it has been shaded already.
    static constexpr std::uint8_t reused = 0xff;

    // `client`: its number among the clients of the memory port.
    VertexFetcher(engine::CounterList* counters, const MachineParameters& parameters, const Workload& workload,
                  MemoryPort& memory, int client);

    bool ready_for_draw() const { return draw_ == none; }
    void begin_draw(std::uint32_t draw);

    // One cycle. True if something happened.
    bool step(engine::Time now, std::vector<VertexProcessor*>& processors);
    void on_index_line(RequestTag tag) { arrived_[tag.entry] = true; }

    RingQueue<std::uint8_t>& stream() { return stream_; }

  private:
    bool request_line(engine::Time now);
    bool take_index();
    bool give_warp(std::vector<VertexProcessor*>& processors);
    std::uint64_t line_of(std::uint32_t position) const;

    const Workload& workload_;
    MemoryPort* memory_;
    int client_;
    std::uint32_t post_transform_entries_;
    std::uint32_t indices_per_cycle_;
    engine::Time period_;

    std::uint32_t draw_ = none;
    std::uint32_t position_ = 0;                // in the draw's fetches
    std::uint32_t indices_ = 1;                 // of an instance
    std::uint64_t first_line_ = 0, lines_ = 0;  // of an instance's indices, in memory
    std::uint64_t line_ = 0, lines_end_ = 0;    // to be requested next, and the end: counted over all instances
    std::vector<bool> arrived_;                 // by line modulo its size
    std::uint32_t shaded_ = 0;                  // vertices of the draw
    std::vector<std::uint32_t> shaded_as_;      // vertex of the draw: as the how-manieth it was last shaded; 0: not yet
    VertexWarp forming_;
    std::size_t turn_ = 0;  // processor that gets the forming warp
    RingQueue<std::uint8_t> stream_;
    engine::Counter fetches_, reused_, index_lines_;
};

}  // namespace models
