// The primitive stage of a draw: assembles primitives, clips them, sets them up for rasterisation and drops what is
// culled or covers nothing. In parallel over runs of primitives; the order of the result does not depend on it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/functional/raster/clip.h"
#include "models/functional/raster/setup.h"
#include "models/functional/vertex_stage.h"
#include "models/functional/workers.h"

namespace models::functional {

struct SetupPrimitive {
    RasterPrimitive raster;
    InterpolationBasis basis;
    ClippedPrimitive clipped;
    std::uint32_t trace = 0;  // number in Frame::primitives
};

// What one work item made: the primitives refer to the item's own new vertices.
struct PrimitiveChunk {
    ClipOutput clip;
    std::vector<SetupPrimitive> primitives;
    std::uint32_t culled = 0;  // assembled primitives of which nothing is left
};

struct PrimitiveWork {
    PrimitiveKind kind = PrimitiveKind::triangle;
    Provoking provoking = Provoking::last;
    ClipRules clip_rules;
    SetupRules setup;
    Viewport viewport;
    float point_size = 1;       // of vertices without a size of their own
    bool smooth_lines = false;  // each becomes two triangles
    bool discard = false;       // GL_RASTERIZER_DISCARD: what is assembled is culled
};

struct DrawnPrimitives {
    std::vector<AssembledPrimitive> assembled;  // positions in the draw's order of vertices, all instances
    std::vector<PrimitiveChunk> chunks;
};

// Throws InputError when a primitive reaches further than the rasteriser can compute.
void make_primitives(const DrawCall& call, const VertexOrder& order, const ShadedVertices& shaded,
                     const PrimitiveWork& work, const Workers& workers, DrawnPrimitives& out);

}  // namespace models::functional
