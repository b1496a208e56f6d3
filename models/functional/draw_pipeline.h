// Issues draws: runs the vertex and primitive stages at once and prepares what the tiles will need, so that later
// commands may change every state and buffer. Appends the draw's part of the frame trace.
//
// A draw whose rasteriser discards (GL_RASTERIZER_DISCARD) shades its vertices and assembles its primitives; it has no
// fragments, and uses no surface and nothing that is bound for its fragment program.
//
// Refused by name: draws without both shaders, geometry and tessellation shaders, transform feedback, fill modes other
// than filled, stippled polygons, and draws that sample what they write.
#pragma once

#include <memory>

#include "models/functional/draw_call.h"
#include "models/functional/fragment_work.h"
#include "models/functional/memory_meter.h"
#include "models/functional/vertex_stage.h"

namespace models::functional {

// The surfaces of a pass.
struct RenderTargets {
    Framebuffer framebuffer;
    std::uint32_t width = 0, height = 0;  // pixels: what all surfaces have
    std::uint32_t samples = 1;            // of a pixel
};

// Throws InputError when the framebuffer has no surface or names a resource twice.
RenderTargets render_targets(const Framebuffer& framebuffer);
SurfaceView view_of(const SurfaceObject& surface);
Surface trace_surface(const SurfaceObject& surface);

// A draw with what its state says, before anything of it is executed.
struct PreparedDraw {
    const DrawCall& call;
    const RasterizerObject& rasterizer;
    const CompiledShader& vertex;
    const CompiledShader& fragment;
    Linkage linkage;
    std::unique_ptr<FragmentWork> work;  // all but the geometry
};

class DrawPipeline {
  public:
    struct Limits {
        std::uint64_t draw_memory = ~0ULL;  // bytes that the vertices and primitives of one draw may take
        bool undefined_as_zero = false;     // shaders that may read registers they never write: drawn, not refused
    };

    DrawPipeline(const Workers& workers, ProgramLibrary& library, MemoryMeter& memory, const Limits& limits)
        : workers_(&workers),
          library_(&library),
          memory_(&memory),
          limits_(limits),
          vertex_stage_(workers) {}

    // `call` and `state` must outlive the result.
    PreparedDraw prepare(const DrawCall& call, const DrawingState& state, const RenderTargets& targets);

    // `state` and `targets` are those it was prepared with. `frame` may be null: no trace. The result may be null:
    // nothing to rasterise. Meanwhile the meter counts what the draw's vertices and primitives can take at most.
    std::unique_ptr<FragmentWork> issue(PreparedDraw prepared, const DrawingState& state, const RenderTargets& targets,
                                        Frame* frame);

  private:
    const CompiledShader& shader_of(const DrawingState& state, ShaderStage stage);
    void take_memory(const DrawCall& call, std::uint64_t vertices, std::uint64_t vertex_bytes);

    const Workers* workers_;
    ProgramLibrary* library_;
    MemoryMeter* memory_;
    Limits limits_;
    VertexStage vertex_stage_;
};

}  // namespace models::functional
