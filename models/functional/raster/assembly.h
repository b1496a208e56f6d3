// Primitive assembly: from a run of vertices to points, lines and triangles, in the order in which they are drawn.
// Strips, fans, loops, quads and polygons are taken apart; winding is kept, and the provoking vertex, whose values flat
// attributes take, stands first or last in each primitive as the rasteriser state asks. Quads are split along the
// diagonal from their second to their fourth vertex, and their last vertex provokes in either convention; polygons are
// fans whose first vertex provokes. Adjacency modes and patches do not exist here: the caller refuses them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace models::functional {

// Numbered as in Gallium and on the virgl wire; larger numbers there are adjacency modes and patches.
enum class PrimitiveMode : std::uint8_t {
    points,
    lines,
    line_loop,
    line_strip,
    triangles,
    triangle_strip,
    triangle_fan,
    quads,
    quad_strip,
    polygon,
};
inline constexpr int primitive_mode_count = 10;

enum class PrimitiveKind : std::uint8_t { point = 1, line = 2, triangle = 3 };  // the value is its number of vertices

PrimitiveKind kind_of(PrimitiveMode mode);

enum class Provoking : std::uint8_t { first, last };

// n vertices make at most n / this primitives.
int vertices_between_primitives(PrimitiveMode mode);

// Positions in the list of vertices; points and lines repeat the last one.
struct AssembledPrimitive {
    std::uint32_t vertex[3] = {};

    bool operator==(const AssembledPrimitive&) const = default;
};

// Appends the primitives of the vertices first .. first + count - 1. Vertices left over at the end draw nothing.
void assemble(PrimitiveMode mode, Provoking provoking, std::uint32_t first, std::uint32_t count,
              std::vector<AssembledPrimitive>& out);

struct VertexRun {
    std::uint32_t first = 0, count = 0;

    bool operator==(const VertexRun&) const = default;
};

// Primitive restart: cuts an index list at every `restart`. `kept` gets the other indices in order; the runs are
// positions in `kept`, never empty.
std::vector<VertexRun> split_at_restart(std::span<const std::uint32_t> indices, std::uint32_t restart,
                                        std::vector<std::uint32_t>& kept);

}  // namespace models::functional
