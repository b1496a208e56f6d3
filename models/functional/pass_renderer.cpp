#include "models/functional/pass_renderer.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>

#include "models/functional/output/clear.h"
#include "models/functional/tile_hash.h"
#include "models/functional/virgl/protocol.h"

namespace models::functional {

namespace {

constexpr std::size_t drain_bytes = std::size_t{256} << 20;  // of waiting vertices and primitives
constexpr std::size_t most_binned = std::size_t{8} << 20;    // primitives in the lists of all tiles

std::size_t bytes_of(const FragmentWork& work) {
    const VertexArray& vertices = work.shaded.vertices;
    std::size_t bytes =
        vertices.size() * VertexArray::bytes_of_vertex(static_cast<std::size_t>(vertices.attributes()),
                                                       static_cast<std::size_t>(vertices.clip_distances()));
    for (const PrimitiveChunk& chunk : work.drawn.chunks) bytes += chunk.primitives.capacity() * sizeof(SetupPrimitive);
    return bytes + work.drawn.assembled.capacity() * sizeof(AssembledPrimitive);
}

}  // namespace

PassRenderer::PassRenderer(const Workers& workers, ProgramLibrary& library, MemoryMeter& memory, bool without_hidden)
    : workers_(&workers),
      library_(&library),
      memory_(&memory),
      scratch_(std::make_unique<TileWorker[]>(static_cast<std::size_t>(workers.count()))),
      without_hidden_(without_hidden) {}

bool PassRenderer::draws_to(const Resource& resource) const {
    const auto is = [&](const std::shared_ptr<const SurfaceObject>& surface) {
        return surface && surface->resource.get() == &resource;
    };
    const Framebuffer& framebuffer = targets_.framebuffer;
    return open_ && (is(framebuffer.depth) || std::any_of(framebuffer.colour.begin(), framebuffer.colour.end(), is));
}

bool PassRenderer::reads(const Resource& resource) const {
    return std::any_of(waiting_.begin(), waiting_.end(), [&](const std::unique_ptr<FragmentWork>& work) {
        return std::any_of(work->sampled.begin(), work->sampled.end(),
                           [&](const std::shared_ptr<Resource>& sampled) { return sampled.get() == &resource; });
    });
}

void PassRenderer::begin(RenderTargets targets, Frame* frame) {
    open_ = true;
    memory_->begin_pass();
    targets_ = std::move(targets);
    frame_ = frame;
    const auto tiles = [](std::uint32_t pixels) { return (pixels + trace_tile_pixels - 1) / trace_tile_pixels; };
    tiles_x_ = tiles(targets_.width);
    tiles_y_ = tiles(targets_.height);
    bins_.resize(std::size_t{tiles_x_} * tiles_y_);
    touched_colour_ = touched_depth_ = cleared_colour_ = cleared_depth_ = false;
    written_ = sampled_ = 0;
    if (frame_ == nullptr) return;
    if (traces_.size() < bins_.size()) traces_.resize(bins_.size());
    pass_ = {};
    ContentHash inputs;
    inputs.add(targets_.samples);
    for (const auto& surface : targets_.framebuffer.colour) inputs.add(surface ? surface->format : Format::unknown);
    inputs.add(targets_.framebuffer.depth ? targets_.framebuffer.depth->format : Format::unknown);
    for (std::size_t tile = 0; tile < bins_.size(); ++tile) traces_[tile].inputs = inputs;
    for (const auto& surface : targets_.framebuffer.colour)
        pass_.colour.push_back(surface ? trace_surface(*surface) : Surface{});
    if (targets_.framebuffer.depth) pass_.depth = trace_surface(*targets_.framebuffer.depth);
    pass_.width = targets_.width;
    pass_.height = targets_.height;
    pass_.tiles_x = tiles_x_;
    pass_.tiles_y = tiles_y_;
    pass_.first_draw = static_cast<std::uint32_t>(frame_->draws.size());
}

void PassRenderer::note_first_use(bool colour, bool depth, bool clears_colour, bool clears_depth) {
    const bool loads_colour = colour && !touched_colour_ && !clears_colour;
    const bool loads_depth = depth && !touched_depth_ && !clears_depth;
    if (frame_ != nullptr && (loads_colour || loads_depth)) add_contents_to_inputs(loads_colour, loads_depth);
    if (colour && !touched_colour_) {
        touched_colour_ = true;
        cleared_colour_ = clears_colour;
    }
    if (depth && !touched_depth_) {
        touched_depth_ = true;
        cleared_depth_ = clears_depth;
    }
}

TargetUse PassRenderer::clear_use(const ClearValues& values) const {
    const Framebuffer& framebuffer = targets_.framebuffer;
    TargetUse use;
    for (std::size_t i = 0; i < framebuffer.colour.size(); ++i) {
        const bool cleared = framebuffer.colour[i] && (values.buffers & clear_first_colour_bit << i) != 0;
        use.written |= TargetMask{cleared} << i;
    }
    const bool depth = framebuffer.depth && (values.buffers & (clear_depth_bit | clear_stencil_bit)) != 0;
    use.written |= depth ? depth_target : 0;
    return use;
}

void PassRenderer::clear(const ClearValues& values) {
    drain();
    written_ |= clear_use(values).written;
    const Framebuffer& framebuffer = targets_.framebuffer;
    const auto each_band = [&](auto clear_rows) {
        for_each_band(*workers_, targets_.height, [&](std::uint32_t first, std::uint32_t end) {
            clear_rows(Rectangle{0, first, targets_.width, end - first});
        });
    };
    Draw draw;
    draw.kind = DrawKind::clear;
    draw.samples = static_cast<std::uint8_t>(targets_.samples);
    bool whole = true;  // all colour targets
    for (std::size_t i = 0; i < framebuffer.colour.size(); ++i) {
        const bool cleared = (values.buffers & clear_first_colour_bit << i) != 0;
        if (cleared && framebuffer.colour[i]) {
            const SurfaceView view = view_of(*framebuffer.colour[i]);
            for (std::uint32_t sample = 0; sample < view.samples; ++sample)
                each_band([&](const Rectangle& rows) { clear_colour(view.sample(sample), rows, values.colour); });
            ++draw.colour_targets;
            draw.colour_mask |= 15U << (4 * i);
        }
        whole = whole && (cleared || !framebuffer.colour[i]);
    }
    const bool depth = framebuffer.depth && (values.buffers & clear_depth_bit) != 0;
    const bool stencil = framebuffer.depth && (values.buffers & clear_stencil_bit) != 0;
    bool whole_depth = false;
    if (depth || stencil) {
        const SurfaceView view = view_of(*framebuffer.depth);
        for (std::uint32_t sample = 0; sample < view.samples; ++sample) {
            each_band([&](const Rectangle& rows) {
                clear_depth_stencil(view.sample(sample), rows, depth, values.depth, stencil, values.stencil);
            });
        }
        whole_depth = (depth || !view.format->depth) && (stencil || !view.format->stencil);
    }
    draw.depth_write = depth;
    draw.stencil_write = stencil;
    note_first_use(draw.colour_targets > 0, depth || stencil, whole, whole_depth);
    if (frame_ != nullptr) {
        add_to_inputs(values);
        memory_->make_room(frame_->draws, 1);
        frame_->draws.push_back(draw);
    }
}

void PassRenderer::add_to_inputs(const ClearValues& values) {
    ContentHash hash;
    hash.add(values.buffers);
    for (const float component : values.colour) hash.add(component);
    hash.add(std::bit_cast<std::uint64_t>(values.depth));
    hash.add(values.stencil);
    for (std::size_t tile = 0; tile < bins_.size(); ++tile) traces_[tile].inputs.add(hash.value());
}

void PassRenderer::add_contents_to_inputs(bool colour, bool depth) {
    const Framebuffer& framebuffer = targets_.framebuffer;
    std::vector<SurfaceView> loaded;
    for (const auto& surface : framebuffer.colour)
        if (colour && surface) loaded.push_back(view_of(*surface));
    if (depth && framebuffer.depth) loaded.push_back(view_of(*framebuffer.depth));
    for_each_band(*workers_, tiles_y_, [&](std::uint32_t first, std::uint32_t end) {
        for (std::uint32_t tile = first * tiles_x_; tile < end * tiles_x_; ++tile) {
            for (const SurfaceView& view : loaded) {
                traces_[tile].inputs.add(
                    hash_of_tile(view, targets_.width, targets_.height, tile % tiles_x_, tile / tiles_x_));
            }
        }
    });
}

void PassRenderer::tell_contents_changed() const {
    const auto tell = [](const std::shared_ptr<const SurfaceObject>& surface) {
        if (surface) surface->resource->contents_changed(surface->level, surface->layer);
    };
    std::for_each(targets_.framebuffer.colour.begin(), targets_.framebuffer.colour.end(), tell);
    tell(targets_.framebuffer.depth);
}

void PassRenderer::add(std::unique_ptr<FragmentWork> work) {
    note_first_use(work->colour_mask != 0 || work->copy, work->tests(), false, false);
    written_ |= work->use.written;
    sampled_ |= work->use.sampled_by_fragments;
    waiting_bytes_ += bytes_of(*work);
    waiting_.push_back(std::move(work));
    memory_->set(MemoryMeter::Use::waiting_draws, waiting_bytes_ + bin_bytes_);
    bin(static_cast<std::uint32_t>(waiting_.size() - 1));
    if (waiting_bytes_ > drain_bytes) drain();
}

void PassRenderer::bin(std::uint32_t draw) {
    const FragmentWork& work = *waiting_[draw];
    if (work.kind == DrawKind::transfer) {
        RasterPrimitive whole;
        whole.box = work.rectangle.region;
        bin_primitive(whole, {draw, 0, 0});
        return;
    }
    for (std::uint32_t c = 0; c < work.drawn.chunks.size(); ++c) {
        const std::vector<SetupPrimitive>& primitives = work.drawn.chunks[c].primitives;
        for (std::uint32_t i = 0; i < primitives.size(); ++i) {
            bin_primitive(primitives[i].raster, {draw, c, i});
            if (binned_ > most_binned) render_tiles();
        }
    }
}

void PassRenderer::bin_primitive(const RasterPrimitive& raster, BinnedPrimitive binned) {
    const std::int32_t x0 = raster.box.x0 / tile_pixels;
    const std::int32_t x1 = raster.box.x1 / tile_pixels;
    const std::int32_t y0 = raster.box.y0 / tile_pixels;
    const std::int32_t y1 = raster.box.y1 / tile_pixels;
    const bool single = x0 == x1 && y0 == y1;
    for (std::int32_t y = y0; y <= y1; ++y) {
        for (std::int32_t x = x0; x <= x1; ++x) {
            if (single || raster.edge_count == 0 || touches_tile(raster, x, y)) {
                bins_[static_cast<std::size_t>(y) * tiles_x_ + static_cast<std::size_t>(x)].push_back(binned);
                ++binned_;
            }
        }
    }
}

void PassRenderer::drain() {
    render_tiles();
    waiting_.clear();
    waiting_bytes_ = 0;
    memory_->set(MemoryMeter::Use::waiting_draws, bin_bytes_);
}

void PassRenderer::render_tiles() {
    if (binned_ == 0) return;
    std::vector<std::size_t> busy;
    bin_bytes_ = 0;
    for (std::size_t tile = 0; tile < bins_.size(); ++tile) {
        bin_bytes_ += bins_[tile].capacity() * sizeof(BinnedPrimitive);
        if (!bins_[tile].empty()) busy.push_back(tile);
    }
    memory_->set(MemoryMeter::Use::waiting_draws, waiting_bytes_ + bin_bytes_);
    try {
        workers_->for_each(static_cast<int>(busy.size()), [&](int item, int worker) {
            render_tile(busy[static_cast<std::size_t>(item)], scratch_[static_cast<std::size_t>(worker)]);
        });
    } catch (const MemoryMeter::Exceeded&) {
        memory_->refuse();
    }
    memory_->settle_tiles();
    binned_ = 0;
}

void PassRenderer::draw_bin(const std::vector<BinnedPrimitive>& bin, TileWorker& worker) const {
    for (std::size_t first = 0; first < bin.size();) {
        std::size_t end = first + 1;
        while (end < bin.size() && bin[end].draw == bin[first].draw) ++end;
        const FragmentWork& work = *waiting_[bin[first].draw];
        locate(work.offset, work.kind == DrawKind::transfer ? "transfer" : "draw", [&] {
            if (work.kind == DrawKind::transfer)
                worker.transfer(work);
            else
                worker.draw(work, std::span(bin).subspan(first, end - first));
        });
        first = end;
    }
}

void PassRenderer::render_tile(std::size_t tile, TileWorker& worker) {
    std::vector<BinnedPrimitive>& bin = bins_[tile];
    TileTrace* const trace = frame_ != nullptr ? &traces_[tile] : nullptr;
    const bool twice = without_hidden_ && trace != nullptr;
    std::vector<std::byte> before;
    if (twice) copy_tile(tile, [&](std::span<std::byte> row) { before.insert(before.end(), row.begin(), row.end()); });
    const std::size_t first_quad = trace != nullptr ? trace->quads.size() : 0;
    worker.begin_tile(static_cast<std::int32_t>(tile % tiles_x_), static_cast<std::int32_t>(tile / tiles_x_), trace,
                      *memory_);
    draw_bin(bin, worker);
    worker.end_tile();
    if (twice) draw_again(tile, before, first_quad, worker);
    bin.clear();
}

// Every row of the tile in all targets, sample by sample.
template <class Copy>
void PassRenderer::copy_tile(std::size_t tile, const Copy& copy) const {
    const auto x = static_cast<std::uint32_t>(tile % tiles_x_ * trace_tile_pixels);
    const auto y = static_cast<std::uint32_t>(tile / tiles_x_ * trace_tile_pixels);
    const auto copy_surface = [&](const std::shared_ptr<const SurfaceObject>& surface) {
        if (!surface) return;
        const SurfaceView view = view_of(*surface);
        const std::size_t row_bytes =
            std::size_t{std::min(trace_tile_pixels, targets_.width - x)} * view.format->block_bytes;
        for (std::uint32_t sample = 0; sample < view.samples; ++sample)
            for (std::uint32_t row = y; row < std::min(y + trace_tile_pixels, targets_.height); ++row)
                copy(std::span(view.sample(sample).texel(x, row), row_bytes));
    };
    std::for_each(targets_.framebuffer.colour.begin(), targets_.framebuffer.colour.end(), copy_surface);
    copy_surface(targets_.framebuffer.depth);
}

void PassRenderer::draw_again(std::size_t tile, const std::vector<std::byte>& before, std::size_t first_quad,
                              TileWorker& worker) {
    const std::byte* next = before.data();
    copy_tile(tile, [&](std::span<std::byte> row) {
        std::copy_n(next, row.size(), row.begin());
        next += row.size();
    });
    const std::vector<Quad>& quads = traces_[tile].quads;
    const std::vector<Quad> seen(quads.begin() + static_cast<std::ptrdiff_t>(first_quad), quads.end());
    TileTrace again;
    worker.begin_tile(static_cast<std::int32_t>(tile % tiles_x_), static_cast<std::int32_t>(tile / tiles_x_), &again,
                      *memory_, &seen);
    draw_bin(bins_[tile], worker);
    worker.end_tile();
}

void PassRenderer::end() {
    if (!open_) return;
    drain();
    open_ = false;
    tell_contents_changed();
    if (frame_ != nullptr) {
        pass_.draw_count = static_cast<std::uint32_t>(frame_->draws.size()) - pass_.first_draw;
        pass_.colour_load = touched_colour_ && !cleared_colour_;
        pass_.colour_store = touched_colour_;
        pass_.depth_load = touched_depth_ && !cleared_depth_;
        pass_.depth_store = (written_ & depth_target) != 0;
        append_quads();
        append_hashes();
        frame_->passes.push_back(std::move(pass_));
    }
    targets_ = {};
}

}  // namespace models::functional
