// The vertex stage: shades each distinct vertex of a draw once, 64 lanes at a time, in parallel for large draws.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "models/functional/access_splitter.h"
#include "models/functional/bound_constants.h"
#include "models/functional/draw_call.h"
#include "models/functional/linkage.h"
#include "models/functional/program_library.h"
#include "models/functional/raster/clip.h"
#include "models/functional/texture/texture_unit.h"
#include "models/functional/workers.h"

namespace models::functional {

using ClipPlane = std::array<float, 4>;

// Everything the vertex stage reads.
struct VertexWork {
    const CompiledShader& program;
    const Linkage& linkage;
    const BoundConstants& constants;
    const TextureBindings& textures;
    const VertexFetcher& fetcher;
    const VertexOrder& order;
    const DrawCall& call;
    const ClipRules& clip_rules;
    const Viewport& viewport;
    std::span<const ClipPlane> user_planes;   // enabled ones; not used by programs with distances of their own
    std::span<const std::uint8_t> distances;  // enabled components of the CLIPDIST outputs, 0 to 7
    bool clamp_colours = false;               // COLOR and BCOLOR outputs to 0..1
};

// Vertex v is distinct vertex v % D of instance v / D, D being order.distinct.size().
struct ShadedVertices {
    VertexArray vertices;            // classified and projected
    std::vector<float> point_sizes;  // of each vertex, when the program writes them

    // For the trace; empty when it is not wanted.
    std::vector<std::uint32_t> paths;  // of each vertex, in known_paths
    std::vector<ProgramPath> known_paths;
    std::vector<std::uint32_t> first_access;
    std::vector<TextureAccess> accesses;
    std::vector<BlockNumber> blocks;
    std::vector<std::uint32_t> first_constant_access;
    std::vector<ConstantAccess> constant_accesses;
    std::vector<std::uint16_t> constant_indices;
};

class VertexStage {
  public:
    explicit VertexStage(const Workers& workers);
    ~VertexStage();
    VertexStage(const VertexStage&) = delete;
    VertexStage& operator=(const VertexStage&) = delete;

    void shade(const VertexWork& work, bool trace, ShadedVertices& out);

  private:
    struct Worker;
    struct ChunkTrace;

    const Workers* workers_;
    std::unique_ptr<Worker[]> scratch_;  // by worker
};

}  // namespace models::functional
