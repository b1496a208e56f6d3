// What the parts of a machine look up about the frame they work on: the frame itself, its programs decoded, the layout
// of its parameter buffers or the order of its primitives, where its render targets lie, which quads are shaded and in
// which order their colours meet, which passes wait for which, what the driver uploads and commands. Pure functions of
// frames and parameters. One per machine and rank; changed only between frames, so all processes may read it at any
// time.
//
// A frame is checked when it is loaded: whatever a part indexes with something it finds in a frame is inside its array.
#pragma once

#include <vector>

#include "models/base/for_each.h"
#include "models/workload/command_stream.h"
#include "models/workload/decoded_program.h"
#include "models/workload/draw_constants.h"
#include "models/workload/memory_map.h"
#include "models/workload/pass_order.h"
#include "models/workload/polygon_lists.h"
#include "models/workload/primitive_order.h"
#include "models/workload/resolves.h"
#include "models/workload/shaded_quads.h"
#include "models/workload/surface_blocks.h"
#include "models/workload/tile_signatures.h"
#include "models/workload/uploads.h"

namespace models {

class Workload {
  public:
    struct Shape {
        Address memory;  // bytes of DRAM
        Rendering rendering;
        const TilingParameters& tiling;
        bool resolves_on_chip = false;         // Resolves
        bool eliminates_transactions = false;  // TileSignatures
        bool has_page_tables = false;          // MemoryMap
        std::uint32_t command_bytes = 0;       // of a draw, CommandStream
    };
    // Where the render targets of a pass lie.
    struct Targets {
        std::vector<SurfaceBlocks> colour;
        SurfaceBlocks depth;
        std::uint32_t square_quads;  // side of squares of which no two share a block of any
    };
    // The parameters must outlive the workload.
    explicit Workload(const Shape& shape);

    // The frame must live until the next load. Throws InputError naming the frame if the trace is not consistent or
    // does not fit the machine's memory. Programs of a trace may be added between frames, never changed: another trace
    // needs another machine. Checks, and looks for what waits for what, on the threads of `for_each`.
    void load(const FrameTrace& trace, const Frame& frame, const ForEach& for_each = in_turn);

    const MemoryMap& memory() const { return memory_; }
    const Frame& frame() const { return *frame_; }
    const Draw& draw_of(std::uint32_t quad) const {
        return frame_->draws[frame_->primitives[frame_->quads[quad].primitive].draw];
    }
    std::size_t programs() const { return programs_.size(); }
    const DecodedProgram& program(std::uint32_t index) const { return programs_[index]; }
    const ShadedQuads& quads() const { return quads_; }
    const PassOrder& order() const { return order_; }
    const Resolves& resolves() const { return resolves_; }
    const TileSignatures& signatures() const { return signatures_; }
    const CommandStream& commands() const { return commands_; }
    const Uploads& uploads() const { return uploads_; }
    const DrawConstants& constants() const { return constants_; }
    std::uint32_t passes() const { return static_cast<std::uint32_t>(frame_->passes.size()); }
    // Draws of a pass that are executed: none if it is resolved on chip.
    std::uint32_t draws(std::uint32_t pass) const {
        return resolves_.is_resolved(pass) ? 0 : frame_->passes[pass].draw_count;
    }
    // Of tile-based rendering only.
    bool has_lists() const { return shape_.rendering != Rendering::immediate; }
    const PolygonLists& lists(std::uint32_t pass) const { return lists_[pass]; }
    // Of immediate rendering only.
    const PrimitiveOrder& primitives(std::uint32_t pass) const { return primitives_[pass]; }
    const Targets& targets(std::uint32_t pass) const { return targets_[pass]; }
    // Where a quad lies in its render targets, in quads.
    struct Place {
        std::uint16_t x = 0, y = 0;
    };
    const Place& place(std::uint32_t quad) const { return places_[quad]; }
    // The most any program has: as its instructions wait for them; of a register file.
    std::uint32_t registers() const { return registers_; }
    std::uint32_t file_registers() const { return file_registers_; }

    // A frame that has gone by without being rendered here: only what later frames depend on is taken from it.
    void pass_over(const FrameTrace& trace, const Frame& frame, const ForEach& for_each = in_turn);

    // The pass that a tile, named by its index in Frame::tiles, belongs to.
    std::uint32_t pass_of_tile(std::uint32_t tile) const;

    // The block is one of a parameter buffer.
    bool in_parameter_buffer(BlockNumber block) const {
        return Address{block} * block_bytes >= memory_.parameter_buffers;
    }

  private:
    void decode_programs(const FrameTrace& trace);
    void add_lists(std::uint32_t pass);
    void add_order(const Pass& pass);

    Shape shape_;
    MemoryMap memory_;
    BlockNumber next_code_;
    const Frame* frame_ = nullptr;
    std::vector<DecodedProgram> programs_;
    std::uint32_t registers_ = 1, file_registers_ = 0;
    std::vector<PolygonLists> lists_;
    std::vector<PrimitiveOrder> primitives_;
    std::vector<Targets> targets_;
    std::vector<Place> places_;  // by quad
    ShadedQuads quads_;
    PassOrder order_;
    Resolves resolves_;
    TileSignatures signatures_;
    CommandStream commands_;
    Uploads uploads_;
    DrawConstants constants_;
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

// Throws InputError if an index in the frame is outside of its array, or an address is not below `memory_end`, or the
// frame asks for what the machine does not do. `all_targets`: render targets are in memory even if a pass neither loads
// nor stores them.
void check_frame(const FrameTrace& trace, const Frame& frame, const std::vector<DecodedProgram>& programs,
                 Address memory_end, bool all_targets, const ForEach& for_each = in_turn);

}  // namespace models
