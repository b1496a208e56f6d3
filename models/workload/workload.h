// What the parts of a machine look up about the frame they work on: the frame itself, its programs decoded, the layout
// of its parameter buffers, which quads are shaded and in which order their colours meet, and which passes wait for
// which. Pure functions of frame and parameters. One per machine and rank; changed only between frames, so all
// processes may read it at any time.
//
// A frame is checked when it is loaded: whatever a part indexes with something it finds in a frame is inside its array.
#pragma once

#include <vector>

#include "models/workload/decoded_program.h"
#include "models/workload/pass_order.h"
#include "models/workload/polygon_lists.h"
#include "models/workload/shaded_quads.h"

namespace models {

class Workload {
  public:
    struct Shape {
        Address memory;  // bytes of DRAM
        Rendering rendering;
        const TilingParameters& tiling;
    };
    // The parameters must outlive the workload.
    explicit Workload(const Shape& shape);

    // The frame must live until the next load. Throws InputError naming the frame if the trace is not consistent or
    // does not fit the machine's memory. Programs of a trace may be added between frames, never changed: another trace
    // needs another machine.
    void load(const FrameTrace& trace, const Frame& frame);

    const Frame& frame() const { return *frame_; }
    const DecodedProgram& program(std::uint32_t index) const { return programs_[index]; }
    const PolygonLists& lists(std::uint32_t pass) const { return lists_[pass]; }
    const ShadedQuads& quads() const { return quads_; }
    const PassOrder& order() const { return order_; }
    std::uint32_t passes() const { return static_cast<std::uint32_t>(lists_.size()); }
    std::uint32_t registers() const { return registers_; }  // the most any program has

    // The pass that a tile, named by its index in Frame::tiles, belongs to.
    std::uint32_t pass_of_tile(std::uint32_t tile) const;

    // The block is one of a parameter buffer.
    bool in_parameter_buffer(BlockNumber block) const { return Address{block} * block_bytes >= parameter_buffers_; }

  private:
    void decode_programs(const FrameTrace& trace);

    Shape shape_;
    Address parameter_buffers_;  // two of them, at the top of memory
    Address code_;               // below them, the programs
    BlockNumber next_code_;
    const Frame* frame_ = nullptr;
    std::vector<DecodedProgram> programs_;
    std::uint32_t registers_ = 1;
    std::vector<PolygonLists> lists_;
    ShadedQuads quads_;
    PassOrder order_;
};

// Where a vertex's attribute is fetched from: bytes behind the attribute's address, and the address itself.
inline std::uint64_t attribute_offset(const VertexAttribute& attribute, const Vertex& vertex) {
    const std::uint32_t element =
        attribute.instance_divisor == 0 ? vertex.id : vertex.instance / attribute.instance_divisor;
    return std::uint64_t{attribute.stride} * element;
}
inline Address attribute_address(const VertexAttribute& attribute, const Vertex& vertex) {
    return attribute.address + attribute_offset(attribute, vertex);
}

// Throws InputError if an index in the frame is outside of its array or an address is not below `memory_end`.
void check_frame(const FrameTrace& trace, const Frame& frame, const std::vector<DecodedProgram>& programs,
                 Address memory_end);

}  // namespace models
