// Renders the draws of one tile in order: coverage, early depth, shading in batches of 16 quads, late depth, blending.
// One per thread. Quads of different primitives of a draw share a batch; a batch never holds two draws.
//
// Depth and stencil are tested before shading unless the fragment program writes depth, or may discard fragments
// (KILL, alpha test) while depth or stencil are written. Quads of which the early test leaves nothing are not shaded.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "models/functional/access_splitter.h"
#include "models/functional/fragment_work.h"
#include "models/functional/hidden_surfaces.h"
#include "models/functional/memory_meter.h"
#include "models/functional/raster/sample_coverage.h"
#include "models/functional/texture/content_hash.h"

namespace models::functional {

// A primitive of a draw in the list of a tile.
struct BinnedPrimitive {
    std::uint32_t draw = 0, chunk = 0, index = 0;
};

// What a tile adds to the frame trace; positions count from the tile's own start.
struct TileTrace {
    // The paths that warps of the tile took through a program with control flow.
    struct Paths {
        std::uint32_t program = 0;
        PathTable table{ShaderStage::fragment};
    };

    std::vector<Quad> quads;  // path: in the list of its program, 0 where that has no control flow
    std::vector<TextureAccess> accesses;
    std::vector<BlockNumber> blocks;
    std::vector<ConstantAccess> constant_accesses;
    std::vector<std::uint16_t> constant_indices;
    ContentHash inputs;  // of the pass so far
    std::vector<Paths> paths;
    std::uint64_t path_bytes = 0;  // of memory, that paths take
};

class TileWorker {
  public:
    TileWorker();
    ~TileWorker();
    TileWorker(const TileWorker&) = delete;
    TileWorker& operator=(const TileWorker&) = delete;

    // Whatever became of the tile before. `trace` may be null: nothing is recorded. What it records is counted. `seen`:
    // only the colours of lanes that are visible in these quads are written, those that `trace` will have anew.
    void begin_tile(std::int32_t tile_x, std::int32_t tile_y, TileTrace* trace, MemoryMeter& memory,
                    const std::vector<Quad>* seen = nullptr);
    // All primitives of `work` that touch the tile, in order.
    void draw(const FragmentWork& work, std::span<const BinnedPrimitive> primitives);
    // The part of a transfer's rectangle that lies in the tile.
    void transfer(const FragmentWork& work);
    // When all that is waiting for the tile has been drawn.
    void end_tile();

  private:
    // Places for the planes of primitives whose quads wait in a batch: at most 32 have such, and one is being drawn.
    static constexpr std::size_t plane_slots = 64;

    struct Batch {
        int count = 0;
        std::array<BatchQuad, batch_quads> quads{};
        QuadPositions positions;
        std::array<std::uint32_t, batch_quads> tag{};  // primitive, or position in the trace
        LaneMask covered = 0, back = 0;
        std::array<LaneMask, multisamples> samples{};  // covered, where the framebuffer has several; else unused

        void clear() {
            count = 0;
            covered = back = 0;
            samples = {};
        }
    };

    void bind(const FragmentWork& work);
    void rasterise(const SetupPrimitive& primitive, const ClipOutput& clip);
    void rasterise_samples(const SetupPrimitive& primitive);
    void add_covered(std::uint32_t primitive, std::int32_t x, std::int32_t y, std::uint8_t coverage,
                     std::uint16_t samples = 0);
    std::size_t take_slot();
    void test_batch();
    void note_surfaces(const Batch& batch, LaneMask passed, std::uint32_t first_quad);
    void free_slots();
    void shade_batch();
    void copy_batch();
    void fill_inputs(LaneMask lanes);
    void fill_system_values(LaneMask lanes);
    LaneMask test_samples(Batch& batch);
    void find_centroids(LaneOffsets& offsets) const;
    LaneMask finish_samples(LaneMask shaded);
    void write_colour(const BoundOutput& bound, LaneMask lanes, std::uint32_t sample);
    LaneMask seen_lanes() const;
    void prepare_colour(int output, bool clamp);
    // The depth of a batch's fragments, in depth_: the primitive's, or the fragment program's where it writes one.
    void find_depth(const Batch& batch, bool shaded, const SamplePosition& at);
    void fade_lines();
    LaneMask finish(LaneMask shaded);
    void record_batch(LaneMask written);
    PathTable& local_paths();
    std::uint16_t local_path(PathTable& known, LaneMask group);

    Batch waiting_, shading_;
    LaneMask tested_ = 0;  // of shading_: lanes that pass the depth test whether the program discards them or not
    HiddenSurfaces hidden_;
    bool stencil_changed_ = false;  // in the tile, by a draw
    alignas(64) std::array<float, batch_lanes> depth_{};
    std::array<PrimitivePlanes, plane_slots> planes_;
    std::uint64_t used_slots_ = 0;  // of planes_: a quad that is shaded late keeps its primitive's
    TileCoverage coverage_;
    TileSamples sampled_;
    tgsi::Executor executor_;
    TextureUnit textures_;
    Footprint footprint_;
    AccessSplitter splitter_;
    std::vector<tgsi::ConstantIndices> constant_log_;
    std::vector<Vec4Lanes> inputs_, outputs_, system_values_;
    std::vector<Plane> plane_storage_;
    std::size_t slot_ = 0;  // of the primitive being drawn
    Path path_;
    const FragmentWork* work_ = nullptr;
    TileTrace* trace_ = nullptr;
    const std::vector<Quad>* seen_ = nullptr;
    MemoryMeter* memory_ = nullptr;
    std::int32_t tile_x_ = 0, tile_y_ = 0;
};

}  // namespace models::functional
