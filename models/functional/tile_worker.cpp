#include "models/functional/tile_worker.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <functional>

#include "models/functional/input_hash.h"
#include "models/functional/tile_lanes.h"

namespace models::functional {

namespace {

// All four lanes of every quad that has one in `lanes`.
constexpr LaneMask whole_quads(LaneMask lanes) {
    LaneMask any = lanes | lanes >> 1 | lanes >> 2 | lanes >> 3;
    any &= 0x1111111111111111ULL;
    return any * 0xf;
}

void fill(Vec4Lanes& value, LaneMask lanes, std::uint32_t bits) {
    for (auto& component : value.c) {
        for (int lane = 0; lane < batch_lanes; ++lane)
            if ((lanes >> lane & 1U) != 0) component[lane] = std::bit_cast<float>(bits);
    }
}

}  // namespace

TileWorker::TileWorker() = default;
TileWorker::~TileWorker() = default;

void TileWorker::begin_tile(std::int32_t tile_x, std::int32_t tile_y, TileTrace* trace, MemoryMeter& memory,
                            const std::vector<Quad>* seen) {
    tile_x_ = tile_x;
    tile_y_ = tile_y;
    trace_ = trace;
    seen_ = seen;
    memory_ = &memory;
    waiting_.clear();
    shading_.clear();
    hidden_.begin_tile();
    stencil_changed_ = false;
}

void TileWorker::end_tile() {
    if (trace_ != nullptr) hidden_.finish_tile(trace_->quads);
}

void TileWorker::bind(const FragmentWork& work) {
    work_ = &work;
    if (trace_ != nullptr) trace_->inputs.add(work.input_hash);
    used_slots_ = 0;
    const tgsi::Shader& shader = work.program->shader;
    inputs_.assign(shader.inputs.size(), Vec4Lanes{});
    outputs_.resize(shader.outputs.size());
    system_values_.resize(shader.system_values.size());
    plane_storage_.resize(plane_slots * 4 * work.inputs.size());
    textures_.begin(work.textures, LaneGrouping::quads, trace_ != nullptr ? &footprint_ : nullptr);
    executor_.bind(work.program->executable, {.constants = work.constants.spans(),
                                              .textures = &textures_,
                                              .constant_log = trace_ != nullptr ? &constant_log_ : nullptr});
}

void TileWorker::draw(const FragmentWork& work, std::span<const BinnedPrimitive> primitives) {
    bind(work);
    for (const BinnedPrimitive& binned : primitives) {
        const PrimitiveChunk& chunk = work.drawn.chunks[binned.chunk];
        if (trace_ != nullptr)
            add_primitive(chunk.primitives[binned.index], {work.shaded.vertices, chunk.clip.made}, trace_->inputs);
        rasterise(chunk.primitives[binned.index], chunk.clip);
    }
    test_batch();
    shade_batch();
}

void TileWorker::rasterise(const SetupPrimitive& primitive, const ClipOutput& clip) {
    const bool sampled = work_->samples > 1;
    if (sampled)
        cover_samples(primitive.raster, tile_x_, tile_y_, sampled_);
    else
        cover_tile(primitive.raster, tile_x_, tile_y_, coverage_);
    if ((sampled ? sampled_.count : coverage_.count) == 0) return;
    slot_ = take_slot();
    const VertexView view{work_->shaded.vertices, clip.made};
    planes_[slot_] = make_planes(work_->primitive_kind, primitive.clipped, view, primitive.basis, work_->inputs,
                                 plane_storage_.data() + slot_ * 4 * work_->inputs.size());
    if (sampled) {
        rasterise_samples(primitive);
        return;
    }
    for (std::int32_t i = 0; i < coverage_.count; ++i) {
        const CoveredQuad& quad = coverage_.quads[i];
        add_covered(primitive.trace, tile_x_ * tile_pixels + quad.x * 2, tile_y_ * tile_pixels + quad.y * 2,
                    quad.coverage);
    }
}

std::size_t TileWorker::take_slot() {
    assert(~used_slots_ != 0 && "no more primitives than quads can wait");
    const auto slot = static_cast<std::size_t>(std::countr_one(used_slots_));
    used_slots_ |= std::uint64_t{1} << slot;
    return slot;
}

// Nothing waits for the test any more; what waits to be shaded may have waited for long.
void TileWorker::free_slots() {
    used_slots_ = std::uint64_t{1} << slot_;
    for (std::size_t q = 0; q < static_cast<std::size_t>(shading_.count); ++q)
        used_slots_ |= std::uint64_t{1} << (shading_.quads[q].planes - planes_.data());
}

void TileWorker::transfer(const FragmentWork& work) {
    bind(work);
    const std::int32_t x0 = tile_x_ * tile_pixels;
    const std::int32_t y0 = tile_y_ * tile_pixels;
    const Region region = intersection(work.rectangle.region, {x0, y0, x0 + tile_pixels - 1, y0 + tile_pixels - 1});
    const auto inside = [&](std::int32_t x, std::int32_t y) {
        return x >= region.x0 && x <= region.x1 && y >= region.y0 && y <= region.y1 ? 1 : 0;
    };
    slot_ = take_slot();
    planes_[slot_] = {};
    for (std::int32_t y = region.y0 & ~1; y <= region.y1; y += 2) {
        for (std::int32_t x = region.x0 & ~1; x <= region.x1; x += 2) {
            const int coverage =
                inside(x, y) | inside(x + 1, y) << 1 | inside(x, y + 1) << 2 | inside(x + 1, y + 1) << 3;
            add_covered(work.rectangle_primitive, x, y, static_cast<std::uint8_t>(coverage));
        }
    }
    test_batch();
    shade_batch();
}

// Of the primitive in slot_.
void TileWorker::add_covered(std::uint32_t primitive, std::int32_t x, std::int32_t y, std::uint8_t coverage,
                             std::uint16_t samples) {
    Batch& batch = waiting_;
    const PrimitivePlanes& planes = planes_[slot_];
    const auto q = static_cast<std::size_t>(batch.count);
    batch.quads[q] = {&planes, x, y};
    batch.positions.x[q] = static_cast<std::uint16_t>(x);
    batch.positions.y[q] = static_cast<std::uint16_t>(y);
    batch.tag[q] = primitive;
    batch.covered |= LaneMask{coverage} << (4 * q);
    for (std::size_t s = 0; samples != 0; ++s, samples = static_cast<std::uint16_t>(samples >> 4))
        batch.samples[s] |= LaneMask{samples & 0xfU} << (4 * q);
    if (!planes.front_facing) batch.back |= quad_lanes(batch.count);
    if (++batch.count == batch_quads) test_batch();
}

void TileWorker::test_batch() {
    Batch& batch = waiting_;
    if (batch.count == 0) return;
    batch.positions.count = batch.count;
    LaneMask pass = batch.covered;
    if (work_->early_depth) {
        if (work_->samples > 1) {
            pass = test_samples(batch);
        } else {
            find_depth(batch, false, pixel_centre);
            pass = work_->depth->test(batch.positions, batch.covered, depth_.data(), batch.back);
        }
    }
    if (trace_ != nullptr) {
        memory_->make_room_in_tile(trace_->quads, batch_quads);
        note_surfaces(batch, pass, static_cast<std::uint32_t>(trace_->quads.size()));
    }
    for (int q = 0; q < batch.count; ++q) {
        const auto i = static_cast<std::size_t>(q);
        const std::uint8_t lanes = quad_bits(pass, q);
        if (trace_ != nullptr) {
            trace_->quads.push_back({
                .primitive = batch.tag[i],
                .x = static_cast<std::uint8_t>((batch.quads[i].x - tile_x_ * tile_pixels) / 2),
                .y = static_cast<std::uint8_t>((batch.quads[i].y - tile_y_ * tile_pixels) / 2),
                .coverage = quad_bits(batch.covered, q),
                .early_pass = lanes,
                .visible = lanes,
                .early_test = lanes,
                .shaded = lanes,
                .first_access = static_cast<std::uint32_t>(trace_->accesses.size()),
                .first_constant_access = static_cast<std::uint32_t>(trace_->constant_accesses.size()),
            });
        }
        if (lanes == 0) continue;
        Batch& next = shading_;
        const auto n = static_cast<std::size_t>(next.count);
        next.quads[n] = batch.quads[i];
        next.positions.x[n] = batch.positions.x[i];
        next.positions.y[n] = batch.positions.y[i];
        next.tag[n] = trace_ != nullptr ? static_cast<std::uint32_t>(trace_->quads.size() - 1) : 0;
        next.covered |= LaneMask{lanes} << (4 * n);
        next.back |= (batch.back >> (4 * i) & 0xf) << (4 * n);
        if (work_->samples > 1)
            for (std::size_t s = 0; s < multisamples; ++s)
                next.samples[s] |= (batch.samples[s] >> (4 * i) & 0xf) << (4 * n);
        if (++next.count == batch_quads) shade_batch();
    }
    batch.clear();
    free_slots();
}

void TileWorker::shade_batch() {
    Batch& batch = shading_;
    if (batch.count == 0) return;
    if (work_->copy) {
        copy_batch();
        return;
    }
    batch.positions.count = batch.count;
    const LaneMask lanes = whole_quads(batch.covered);
    fill_inputs(lanes);
    footprint_.clear();
    constant_log_.clear();
    executor_.run(inputs_.data(), system_values_.data(), outputs_.data(), lanes);
    if (work_->smooth_lines) fade_lines();
    const LaneMask written = finish(batch.covered & ~executor_.killed());
    if (trace_ != nullptr) record_batch(work_->writes ? written : 0);
    batch.clear();
}

// Before the alpha test, as part of the program.
void TileWorker::fade_lines() {
    const std::span<const BatchQuad> quads = std::span(shading_.quads).first(static_cast<std::size_t>(shading_.count));
    alignas(64) float coverage[batch_lanes] = {};
    interpolate_line_coverage(quads, coverage);
    const std::vector<tgsi::Varying>& outputs = work_->program->shader.outputs;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        if (outputs[i].declared && outputs[i].semantic == tgsi::Semantic::color) {
            std::transform(std::begin(coverage), std::end(coverage), outputs_[i].c[3], outputs_[i].c[3],
                           std::multiplies<>());
        }
    }
}

void TileWorker::fill_inputs(LaneMask lanes) {
    const Batch& batch = shading_;
    const std::span<const BatchQuad> quads = std::span(batch.quads).first(static_cast<std::size_t>(batch.count));
    if (work_->kind == DrawKind::transfer) {
        const TransferRectangle& r = work_->rectangle;
        for (int lane = 0; lane < batch.count * 4; ++lane) {
            const BatchQuad& quad = quads[static_cast<std::size_t>(lane / 4)];
            const std::int32_t x = quad.x + (lane & 1), y = quad.y + (lane >> 1 & 1);
            const double s = r.nearest ? (r.nearest->x.source(x) + 0.5) / r.nearest->width : r.s + x * r.ds;
            const double t = r.nearest ? (r.nearest->y.source(y) + 0.5) / r.nearest->height : r.t + y * r.dt;
            inputs_[0].c[0][lane] = static_cast<float>(s);
            inputs_[0].c[1][lane] = static_cast<float>(t);
            inputs_[0].c[2][lane] = r.layer;
            inputs_[0].c[3][lane] = 0;
        }
        return;
    }
    LaneOffsets centroids;
    if (work_->centroids) find_centroids(centroids);
    interpolate_inputs(quads, work_->inputs, work_->pixel_centre, work_->centroids ? &centroids : nullptr,
                       inputs_.data());
    if (work_->position_input >= 0 && work_->flipped_height > 0) {
        float* const y = inputs_[static_cast<std::size_t>(work_->position_input)].c[1];
        for (int lane = 0; lane < batch.count * 4; ++lane) y[lane] = work_->flipped_height - y[lane];
    }
    fill_system_values(lanes);
}

// Of a pixel with one sample but for the first two: fragment_setup.cpp refuses the others.
void TileWorker::fill_system_values(LaneMask lanes) {
    using tgsi::Semantic;
    const Batch& batch = shading_;
    const std::vector<tgsi::Varying>& values = work_->program->shader.system_values;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!values[i].declared) continue;
        Vec4Lanes& value = system_values_[i];
        const Semantic semantic = values[i].semantic;
        if (semantic == Semantic::face) {
            fill(value, lanes & ~batch.back, ~0U);
            fill(value, lanes & batch.back, 0);
        } else if (semantic == Semantic::helper_invocation) {
            fill(value, lanes & batch.covered, 0);
            fill(value, lanes & ~batch.covered, ~0U);
        } else if (semantic == Semantic::sample_pos) {
            fill(value, lanes, std::bit_cast<std::uint32_t>(0.5F));
        } else {
            fill(value, lanes, semantic == Semantic::sample_mask ? 1 : 0);
        }
    }
}

void TileWorker::find_depth(const Batch& batch, bool shaded, const SamplePosition& at) {
    const FragmentWork& work = *work_;
    if (shaded && work.depth_output >= 0) {
        const float* written = outputs_[static_cast<std::size_t>(work.depth_output)].c[2];
        std::copy_n(written, batch_lanes, depth_.data());
    } else {
        interpolate_depth(std::span(batch.quads).first(static_cast<std::size_t>(batch.count)), at.x - 0.5F, at.y - 0.5F,
                          depth_.data());
    }
    if (work.clamp_depth)
        for (float& depth : depth_) depth = std::clamp(depth, work.least_depth, work.most_depth);
}

// A colour that the program wrote, as the target wants it.
void TileWorker::prepare_colour(int output, bool clamp) {
    Vec4Lanes& colour = outputs_[static_cast<std::size_t>(output)];
    if (clamp) {
        for (auto& component : colour.c)
            for (float& value : component) value = std::clamp(value, 0.0F, 1.0F);
    }
    if (work_->alpha_to_one) std::fill(std::begin(colour.c[3]), std::end(colour.c[3]), 1.0F);
}

LaneMask TileWorker::seen_lanes() const {
    LaneMask lanes = 0;
    for (int q = 0; q < shading_.count; ++q)
        lanes |= LaneMask{(*seen_)[shading_.tag[static_cast<std::size_t>(q)]].visible} << (4 * q);
    return lanes;
}

void TileWorker::write_colour(const BoundOutput& bound, LaneMask lanes, std::uint32_t sample) {
    if (seen_ != nullptr) lanes &= seen_lanes();
    const Vec4Lanes* const second = bound.second < 0 ? nullptr : &outputs_[static_cast<std::size_t>(bound.second)];
    bound.target.write(shading_.positions, lanes, outputs_[static_cast<std::size_t>(bound.output)], sample, second);
}

// Alpha test, late depth, blend. Returns the lanes that got through.
LaneMask TileWorker::finish(LaneMask shaded) {
    const FragmentWork& work = *work_;
    const Batch& batch = shading_;
    if (work.alpha_test) {
        shaded = alpha_test(work.alpha_function, work.alpha_reference,
                            outputs_[static_cast<std::size_t>(work.alpha_output)].c[3], shaded);
    }
    if (work.samples > 1) return finish_samples(shaded);
    if (work.depth && !work.early_depth && work.depth->active()) {
        find_depth(batch, true, pixel_centre);
        tested_ = work.depth->test(batch.positions, batch.covered, depth_.data(), batch.back, 0, shaded);
        shaded &= tested_;
    }
    for (const BoundOutput& bound : work.outputs) {
        prepare_colour(bound.output, bound.clamp);
        if (bound.second >= 0) prepare_colour(bound.second, bound.clamp);
        write_colour(bound, shaded, 0);
    }
    return shaded;
}

}  // namespace models::functional
