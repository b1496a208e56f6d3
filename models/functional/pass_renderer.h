// A pass: the draws to one set of surfaces, collected until something needs their result, then rendered tile by tile
// in parallel. Because every tile goes through the draws in order, the result does not depend on the threads, and many
// small draws cost no more synchronisation than one large draw.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/functional/draw_pipeline.h"
#include "models/functional/fragment_work.h"
#include "models/functional/tile_worker.h"
#include "models/functional/workers.h"

namespace models::functional {

// The values of a CLEAR.
struct ClearValues {
    std::uint32_t buffers = 0;  // bits: depth, stencil, colour target 0, 1, ...
    float colour[4] = {};
    double depth = 1;
    std::uint8_t stencil = 0;
};

class PassRenderer {
  public:
    // `without_hidden`: every tile that is traced is drawn again without the colours of hidden lanes.
    PassRenderer(const Workers& workers, ProgramLibrary& library, MemoryMeter& memory, bool without_hidden = false);

    bool open() const { return open_; }
    const RenderTargets& targets() const { return targets_; }
    bool draws_to(const Resource& resource) const;
    bool reads(const Resource& resource) const;  // draws that wait do

    // Whether this draw or clear has to be in another pass, which goes on where this one ends.
    bool must_end_before(const TargetUse& use) const {
        return ((use.sampled_by_vertices | use.sampled_by_fragments) & written_) != 0 || (use.written & sampled_) != 0;
    }
    TargetUse clear_use(const ClearValues& values) const;

    // `frame` may be null: no trace. It must stay where it is until end().
    void begin(RenderTargets targets, Frame* frame);
    void clear(const ClearValues& values);
    // Draws and transfers, recorded in the frame already.
    void add(std::unique_ptr<FragmentWork> work);
    // Renders what waits. Called by the pass itself when much waits.
    void drain();
    // A transfer covers its whole target, whose old contents are then not needed.
    void overwrites_all() { touched_colour_ = cleared_colour_ = true; }
    void end();

  private:
    void bin(std::uint32_t draw);
    void bin_primitive(const RasterPrimitive& raster, BinnedPrimitive binned);
    void render_tiles();  // what is binned; the rest of its draw may follow
    void render_tile(std::size_t tile, TileWorker& worker);
    void draw_bin(const std::vector<BinnedPrimitive>& bin, TileWorker& worker) const;
    void draw_again(std::size_t tile, const std::vector<std::byte>& before, std::size_t first_quad, TileWorker& worker);
    template <class Copy>
    void copy_tile(std::size_t tile, const Copy& copy) const;
    void note_first_use(bool colour, bool depth, bool clears_colour, bool clears_depth);
    void append_quads();  // this and what it needs: pass_trace.cpp
    void append_hashes();
    void add_to_inputs(const ClearValues& values);         // of all tiles
    void add_contents_to_inputs(bool colour, bool depth);  // what the targets hold
    void tell_contents_changed() const;
    void forget_paths();  // of the tiles: the library has them
    // Where what a tile adds to the frame begins, and its paths as the library numbers them, in its lists.
    struct TilePlace {
        std::size_t quad = 0, access = 0, block = 0, constant_access = 0, constant_index = 0;
        std::vector<std::vector<std::uint16_t>> paths;
    };
    void move_quads(TileTrace& tile, const TilePlace& place);

    const Workers* workers_;
    ProgramLibrary* library_;
    MemoryMeter* memory_;
    std::unique_ptr<TileWorker[]> scratch_;  // by worker
    bool without_hidden_ = false;

    bool open_ = false;
    RenderTargets targets_;
    Frame* frame_ = nullptr;
    Pass pass_;
    std::uint32_t tiles_x_ = 0, tiles_y_ = 0;
    bool touched_colour_ = false, touched_depth_ = false;  // by the first draw or clear that uses them
    bool cleared_colour_ = false, cleared_depth_ = false;  // before any other use
    TargetMask written_ = 0;                               // by draws and clears of the pass
    TargetMask sampled_ = 0;                               // by fragments of the pass

    std::vector<std::unique_ptr<FragmentWork>> waiting_;
    std::size_t waiting_bytes_ = 0;
    std::size_t bin_bytes_ = 0;                       // of bins_, when they were last rendered
    std::size_t binned_ = 0;                          // in bins_
    std::vector<std::vector<BinnedPrimitive>> bins_;  // by tile
    std::vector<TileTrace> traces_;                   // by tile; empty between passes, at least as many as bins_
};

}  // namespace models::functional
