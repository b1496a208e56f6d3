// A vertex processor: its input queue, the fetch of attributes through its vertex cache, its core, and its output
// queue. Warps leave in the order in which they came. Not a process: a member of the geometry process.
#pragma once

#include <array>
#include <string>

#include "models/line_cache.h"
#include "models/ring_queue.h"
#include "models/shader_core.h"
#include "models/workload.h"

namespace models {

struct VertexWarp {
    static constexpr std::size_t most = 16;
    std::uint32_t draw = 0;
    std::uint32_t count = 0;
    std::array<std::uint32_t, most> vertices = {};  // in Frame::vertices
};

class VertexProcessor {
  public:
    // Its caches are the clients `first_client` (attributes and textures) and `first_client` + 1 (instructions) of the
    // memory port.
    VertexProcessor(engine::CounterList* counters, int index, const MachineParameters& parameters,
                    const Workload& workload, MemoryPort& memory, int first_client);

    void begin_frame();

    std::uint32_t warp_size() const { return warp_size_; }
    bool has_room() const { return !input_.full(); }
    void push(const VertexWarp& warp);

    std::uint32_t shaded() const { return shaded_; }  // vertices in the output queue
    void take_shaded() { --shaded_; }

    // One cycle. Returns when it has something to do by itself; `never` if it waits for memory or for its owner.
    engine::Time step(engine::Time now);

    void on_vertex_line(engine::Time now, RequestTag tag);
    void on_instruction_line(engine::Time now, RequestTag tag);
    void retry(engine::Time now);

    bool idle() const { return input_.empty() && core_.empty() && shaded_ == 0; }

  private:
    struct Input {
        VertexWarp warp;
        std::uint32_t vertex = 0, attribute = 0;  // to be fetched next
        BlockNumber next = 0, end = 0;            // lines of the attribute that are left
        std::uint32_t outstanding = 0;
        engine::Time ready_at = 0;
        bool requested = false;  // all of it
    };
    bool fetch_attributes(engine::Time now);
    void next_attribute(Input& input) const;
    bool launch(engine::Time now);
    bool retire(engine::Time now);

    const Workload& workload_;
    std::uint32_t vertex_queue_, warp_size_;
    RingQueue<Input> input_;
    std::uint32_t fetching_ = 0;  // number of the input whose attributes are fetched
    bool refused_ = false;
    RingQueue<std::uint32_t> resident_;  // vertices of each warp in the core
    std::uint32_t shaded_ = 0;
    engine::Time period_;
    LineCache vertex_cache_, instruction_cache_;
    ShaderCore core_;
    engine::Counter attribute_lines_, vertices_shaded_;
};

}  // namespace models
