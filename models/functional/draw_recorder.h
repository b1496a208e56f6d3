// Appends what a draw did to the frame trace: the draw, its attributes, vertices and primitives. Quads come later, from
// the tiles.
#pragma once

#include "models/functional/draw_call.h"
#include "models/functional/fragment_work.h"
#include "models/functional/memory_meter.h"
#include "models/functional/program_library.h"

namespace models::functional {

struct RecordedDraw {
    const DrawCall& call;
    const IndexBuffer& indices;
    const VertexFetcher& fetcher;
    const VertexOrder& order;
    const CompiledShader& vertex;
    const BoundConstants& vertex_constants;
};

// Numbers the primitives of `work` as Frame::primitives does, and forgets what only the trace needed.
void record_draw(const RecordedDraw& draw, ProgramLibrary& library, FragmentWork& work, Frame& frame,
                 MemoryMeter& memory);

// The fields of a draw that its fragments decide.
Draw describe_fragments(const FragmentWork& work);

}  // namespace models::functional
