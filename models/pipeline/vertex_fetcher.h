// The vertex fetcher: reads a draw's indices, decides which vertices have to be shaded (those that are not among the
// last shaded ones), gathers them into warps and gives these to the vertex processors in turn. A component with a sink:
//     bool send_vertices(processor, warp, count)     false: no room
#pragma once

#include <vector>

#include "models/memory/memory_port.h"
#include "models/pipeline/geometry_parameters.h"
#include "models/structures/ring_queue.h"
#include "models/workload/messages.h"
#include "models/workload/workload.h"

namespace models {

class VertexFetcher {
  public:
    // What assembly needs to know of an index: which processor shades its vertex, or that it has been shaded already.
    static constexpr std::uint16_t reused = 0xffff;

    struct Shape {
        int processors, warp_vertices;
        engine::Time period;
    };
    // `part`: its number among those that share the memory port.
    VertexFetcher(const engine::CounterScope& scope, const GeometryParameters& parameters, const Shape& shape,
                  const Workload& workload, MemoryPort& memory, int part);

    bool ready_for_draw() const { return draw_ == none; }
    void begin_draw(std::uint32_t draw);

    // One cycle. True if something happened.
    template <class Sink>
    bool step(engine::Time now, Sink& sink) {
        if (draw_ == none) return false;
        bool active = request_line(now);
        for (std::uint32_t i = 0; i < indices_per_cycle_; ++i) {
            if (must_go()) active |= give_warp(sink);
            if (must_go() || !take_index()) break;
            active = true;
        }
        if (position_ == workload_.frame().draws[draw_].fetch_count && forming_count_ == 0) {
            draw_ = none;
            active = true;
        }
        return active;
    }
    void on_index_line(RequestTag tag) { arrived_[tag.entry] = 1; }

    RingQueue<std::uint16_t>& stream() { return stream_; }
    bool awaits_indices() const { return draw_ != none && stream_.empty(); }

    void serialize(engine::Archive& archive);

    engine::Counter indices, vertices_reused, vertices_sent, index_lines;

  private:
    bool request_line(engine::Time now);
    bool take_index();
    bool must_go() const;
    template <class Sink>
    bool give_warp(Sink& sink) {
        if (!sink.send_vertices(static_cast<int>(turn_), forming_, forming_count_)) return false;
        vertices_sent += forming_count_;
        forming_count_ = 0;
        turn_ = turn_ + 1 < processors_ ? turn_ + 1 : 0;
        return true;
    }
    std::uint64_t line_of(std::uint32_t position) const;

    // Shape.
    const Workload& workload_;
    MemoryPort* memory_;
    int part_;
    std::uint32_t processors_, warp_vertices_, post_transform_entries_, indices_per_cycle_;
    engine::Time period_;

    // State.
    std::uint32_t draw_ = none;
    std::uint32_t position_ = 0;                // in the draw's fetches
    std::uint32_t indices_ = 1;                 // of an instance
    std::uint64_t first_line_ = 0, lines_ = 0;  // of an instance's indices, in memory
    std::uint64_t line_ = 0, lines_end_ = 0;    // to be requested next, and the end: counted over all instances
    std::vector<std::uint8_t> arrived_;         // by line modulo its size
    std::uint32_t shaded_ = 0;                  // vertices of the draw
    std::vector<std::uint32_t> shaded_as_;      // vertex of the draw: as the how-manieth it was last shaded; 0: not yet
    ShadeVertices forming_;
    std::uint32_t forming_count_ = 0;
    std::uint32_t turn_ = 0;  // processor that gets the forming warp
    RingQueue<std::uint16_t> stream_;
};

}  // namespace models
