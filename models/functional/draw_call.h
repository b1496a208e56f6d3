// A DRAW_VBO command decoded, and its vertices and indices in memory.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "models/functional/raster/assembly.h"
#include "models/functional/virgl/context.h"

namespace models::functional {

inline constexpr std::uint64_t max_draw_vertices = 1U << 24;  // indices times instances of one draw

struct DrawCall {
    std::uint32_t start = 0;  // first vertex; indexed draws begin at the index buffer's offset, which counts it already
    std::uint32_t count = 0;
    std::uint32_t first_index = 0;  // of an indirect draw: from the index buffer's offset on
    PrimitiveMode mode = PrimitiveMode::triangles;
    bool indexed = false;
    std::uint32_t instance_count = 1, start_instance = 0;
    std::uint32_t index_bias = 0;  // two's complement
    std::uint32_t draw_id = 0;     // number among the draws of a command of the application
    bool restart = false;
    std::uint32_t restart_index = 0;
    std::uint64_t offset = 0;  // in the stream
};

// Where a draw's first index is, from the start of the index buffer.
inline std::uint64_t first_index_byte(const DrawCall& call, const IndexBuffer& buffer) {
    return buffer.offset + std::uint64_t{call.first_index} * buffer.index_bytes;
}

// The buffer that has the parameters of the command's draws (glDrawArraysIndirect and the like); 0: none.
std::uint32_t indirect_buffer(const Words& words);

// The draws of one command: one, with the parameters of the command, or those whose parameters are in a buffer.
class DrawCommand {
  public:
    // Refuses adjacency modes, patches, a count that transform feedback made, a number of draws that is in a buffer,
    // and parameters beyond the end of theirs.
    DrawCommand(const Words& words, const Context& context);

    std::uint32_t draws() const { return draws_; }

    // Has what the buffer has now. Refuses draws of more than max_draw_vertices.
    DrawCall draw(std::uint32_t number) const;

  private:
    void read_parameters(std::uint32_t number, DrawCall& call) const;
    std::uint32_t parameter_bytes() const { return 4 * (call_.indexed ? 5 : 4); }

    Words words_;
    DrawCall call_;
    std::shared_ptr<const Resource> parameters_;  // null: they are in call_
    std::uint32_t offset_ = 0, stride_ = 0, draws_ = 1;
};

// The vertices of one instance: `order` is what the draw names, one after the other, as positions in `distinct`, which
// holds each vertex id once, in the order in which the draw first names it. Restart indices are in neither.
struct VertexOrder {
    std::vector<std::uint32_t> distinct;  // vertex ids: what the attributes are addressed with
    std::vector<std::uint32_t> order;
    std::vector<VertexRun> runs;  // what primitives are assembled from: positions in `order`
};

// Throws InputError when the indices are not in the index buffer.
VertexOrder order_vertices(const DrawCall& call, const IndexBuffer& indices);

// Reads attributes from vertex buffers into shader inputs. What lies outside its buffer, or in no buffer, reads as
// zero. Read-only: threads share it.
class VertexFetcher {
  public:
    VertexFetcher(const VertexElementsObject& elements, std::span<const VertexBuffer> buffers,
                  std::uint32_t start_instance);

    int attributes() const { return static_cast<int>(sources_.size()); }

    // The first `count` lanes of inputs[i] get attribute i.
    void fetch(const std::uint32_t* ids, const std::uint32_t* instances, int count, Vec4Lanes* inputs) const;

    // For the trace.
    const std::vector<VertexAttribute>& trace_attributes() const { return trace_; }

  private:
    struct Source {
        const FormatInfo* format = nullptr;
        std::span<const std::byte> bytes;  // from element 0 on; empty: reads as zero
        std::uint32_t stride = 0, divisor = 0, start_instance = 0;
        bool plain_floats = false;  // 32-bit floats that need no conversion
    };

    static void fetch_floats(const Source& source, const std::uint32_t* elements, int count, Vec4Lanes& input);
    static void fetch_converted(const Source& source, const std::uint32_t* elements, int count, Vec4Lanes& input);

    std::vector<Source> sources_;
    std::vector<VertexAttribute> trace_;
};

}  // namespace models::functional
