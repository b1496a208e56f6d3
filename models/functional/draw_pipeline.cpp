#include "models/functional/draw_pipeline.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "engine/error.h"
#include "models/functional/draw_recorder.h"
#include "models/functional/fragment_setup.h"
#include "models/functional/input_hash.h"
#include "models/functional/texture/rounding.h"

namespace models::functional {

SurfaceView view_of(const SurfaceObject& surface) {
    return surface.resource->surface(surface.level, surface.layer, surface.format);
}

Surface trace_surface(const SurfaceObject& surface) {
    const SurfaceView view = view_of(surface);
    const FormatInfo& format = *view.format;  // compressed surfaces count blocks
    return {view.address, (view.width + format.block_width - 1) / format.block_width,
            (view.height + format.block_height - 1) / format.block_height, format.block_bytes * view.samples,
            format.compressed()};
}

namespace {

void check_target(const SurfaceObject& surface, bool depth) {
    const FormatInfo& format = *view_of(surface).format;
    const bool colours = format.kind == FormatKind::plain || format.kind == FormatKind::r9g9b9e5;
    if (depth ? format.kind != FormatKind::depth_stencil : !colours) {
        throw engine::InputError("unsupported format " + format_name(format.format) + " of a " +
                                 (depth ? "depth buffer" : "colour target"));
    }
}

}  // namespace

RenderTargets render_targets(const Framebuffer& framebuffer) {
    RenderTargets targets{framebuffer, ~0U, ~0U, 0};
    const auto narrow = [&](const std::shared_ptr<const SurfaceObject>& surface) {
        if (surface) {
            const SurfaceView view = view_of(*surface);
            targets.width = std::min(targets.width, view.width);
            targets.height = std::min(targets.height, view.height);
            if (targets.samples != 0 && targets.samples != view.samples) {
                throw engine::InputError(
                    "a framebuffer of surfaces with different numbers of samples is not supported");
            }
            targets.samples = view.samples;
        }
    };
    std::for_each(framebuffer.colour.begin(), framebuffer.colour.end(), narrow);
    narrow(framebuffer.depth);
    if (targets.width == ~0U) throw engine::InputError("a framebuffer without attachments is not supported");
    for (const auto& colour : framebuffer.colour)
        if (colour) check_target(*colour, false);
    if (framebuffer.depth) check_target(*framebuffer.depth, true);
    return targets;
}

namespace {

void refuse_if(bool asked, const char* what) {
    if (asked) throw engine::InputError(std::string(what) + " are not supported");
}

// Applications set what they draw rarely: only what a draw of this kind would need is refused. Smooth points and
// stippled lines are drawn like others: the renderer behind the recordings speaks OpenGL's core profile, which has
// neither.
const RasterizerObject& rasterizer_of(const DrawingState& state, PrimitiveKind kind) {
    static const RasterizerObject default_rasterizer;
    const RasterizerObject& rasterizer = state.rasterizer ? *state.rasterizer : default_rasterizer;
    if (kind == PrimitiveKind::triangle && !rasterizer.discard) {
        const bool front_drawn = rasterizer.cull != CullFace::front && rasterizer.cull != CullFace::both;
        const bool back_drawn = rasterizer.cull != CullFace::back && rasterizer.cull != CullFace::both;
        refuse_if((front_drawn && rasterizer.fill_front != FillMode::fill) ||
                      (back_drawn && rasterizer.fill_back != FillMode::fill),
                  "polygons drawn as lines or points");
        refuse_if(rasterizer.polygon_stipple, "stippled polygons");
    }
    return rasterizer;
}

Region drawing_region(const DrawingState& state, const RenderTargets& targets, bool scissor) {
    const Region surface{0, 0, static_cast<std::int32_t>(targets.width) - 1,
                         static_cast<std::int32_t>(targets.height) - 1};
    const Scissor& s = state.scissor;
    const Region cut{static_cast<std::int32_t>(s.x0), static_cast<std::int32_t>(s.y0),
                     static_cast<std::int32_t>(s.x1) - 1, static_cast<std::int32_t>(s.y1) - 1};
    return scissor ? intersection(surface, cut) : surface;
}

// The pixels of the viewport, as the reference rounds them.
Region viewport_region(const Viewport& viewport) {
    const auto from = [](float edge) { return truncated(edge + 0.499F); };
    const auto to = [](float edge) { return truncated(edge - 0.501F); };
    const float width = std::abs(viewport.scale[0]), height = std::abs(viewport.scale[1]);
    const float x = viewport.translate[0] - width, y = viewport.translate[1] - height;
    return {from(x), from(y), to(x + 2 * width), to(y + 2 * height)};
}

PrimitiveWork primitive_work(const DrawCall& call, const DrawingState& state, const RenderTargets& targets,
                             const RasterizerObject& rasterizer, const Linkage& linkage) {
    PrimitiveWork work;
    work.kind = kind_of(call.mode);
    work.discard = rasterizer.discard;
    work.provoking = rasterizer.flat_shade_first ? Provoking::first : Provoking::last;
    work.setup.first_provokes = rasterizer.flat_shade_first;
    work.clip_rules = {
        .half_z = rasterizer.clip_half_z, .depth_clip = rasterizer.depth_clip, .interpolation = linkage.interpolation};
    work.viewport = state.viewport;
    work.point_size = rasterizer.point_size;
    // The renderer behind the recordings draws windows upside down into a framebuffer object and ignores the client's
    // bottom-edge rule, so its fill rule is top-left in memory rows always.
    work.setup.cull = rasterizer.cull;
    work.setup.front_ccw = rasterizer.front_counter_clockwise;
    work.setup.half_pixel_center = rasterizer.half_pixel_centre;
    work.setup.multisample = rasterizer.multisample && targets.samples > 1;
    work.setup.region = drawing_region(state, targets, rasterizer.scissor);
    if (rasterizer.point_size_per_vertex && work.kind != PrimitiveKind::triangle)
        work.setup.region = intersection(work.setup.region, viewport_region(state.viewport));
    work.setup.offset = polygon_offset(rasterizer, targets);
    work.setup.line_width = rasterizer.line_width;
    work.smooth_lines = work.kind == PrimitiveKind::line && rasterizer.smooth_lines && !work.setup.multisample;
    work.setup.sprite_origin_lower_left = rasterizer.sprite_origin_lower_left;
    return work;
}

// The user clip planes of a draw: distances that the program writes, or planes applied to its positions.
struct UserClipping {
    std::vector<ClipPlane> planes;
    std::vector<std::uint8_t> distances;
};

UserClipping user_clipping(const DrawingState& state, const RasterizerObject& rasterizer, const tgsi::Shader& shader,
                           const Linkage& linkage) {
    UserClipping clipping;
    for (std::uint8_t i = 0; i < max_clip_planes; ++i) {
        if ((rasterizer.clip_planes >> i & 1) == 0 || shader.prohibit_user_clip) continue;
        if (linkage.distance_outputs.empty()) {
            const float(&p)[4] = state.clip_planes[i];
            clipping.planes.push_back({p[0], p[1], p[2], p[3]});
        } else if (i / 4U < linkage.distance_outputs.size()) {
            clipping.distances.push_back(i);
        }
    }
    return clipping;
}

// What becomes of the fragments: their program and what it reads, the tests, and the targets.
void set_up_fragments(const DrawingState& state, const RenderTargets& targets, const Linkage& linkage,
                      FragmentWork& work) {
    const tgsi::Shader& shader = work.program->shader;
    work.constants = BoundConstants(state.stages[1], ShaderStage::fragment, shader.constant_sizes);
    work.inputs = linkage.inputs;
    work.position_input = linkage.position_input;
    work.pixel_centre = shader.pixel_center_integer ? 0.0F : 0.5F;
    const std::uint32_t last = targets.height - (shader.pixel_center_integer ? 1 : 0);
    work.flipped_height = shader.origin_lower_left ? static_cast<float>(last) : 0.0F;
    bind_textures(shader, state.stages[1], work.textures, work.sampled);
    set_up_outputs(state, targets, work);
    refuse_feedback(shader, state.stages[1], targets.framebuffer, work.use.written);
    mark_written(shader, state.stages[1], targets.framebuffer, work.use.written, work.textures);
    work.use.sampled_by_fragments = sampled_targets(shader, state.stages[1], targets.framebuffer);
}

}  // namespace

const CompiledShader& DrawPipeline::shader_of(const DrawingState& state, ShaderStage stage) {
    const bool vertex = stage == ShaderStage::vertex;
    const auto& shader = state.stages[vertex ? 0 : 1].shader;
    if (!shader)
        throw engine::InputError(std::string("a draw without a ") + (vertex ? "vertex" : "fragment") + " shader");
    const CompiledShader& compiled = library_->compile(*shader, limits_.undefined_as_zero);
    if (compiled.shader.window_space_position)
        throw engine::InputError("a vertex shader with window-space positions is not supported");
    return compiled;
}

// For `vertices` shaded vertices when every primitive is visible and none has to be clipped.
void DrawPipeline::take_memory(const DrawCall& call, std::uint64_t vertices, std::uint64_t vertex_bytes) {
    constexpr std::uint64_t primitive_bytes = sizeof(SetupPrimitive) + sizeof(AssembledPrimitive);
    constexpr std::uint64_t position_bytes = 3 * sizeof(std::uint32_t);  // in the order of vertices
    const std::uint64_t positions = std::uint64_t{call.count} * call.instance_count;
    const std::uint64_t primitives = positions / static_cast<std::uint64_t>(vertices_between_primitives(call.mode));
    const std::uint64_t bytes = positions * position_bytes + primitives * primitive_bytes + vertices * vertex_bytes;
    if (bytes > limits_.draw_memory) {
        throw engine::InputError("a draw of " + std::to_string(call.count) + " vertices in " +
                                 std::to_string(call.instance_count) + " instances takes " + std::to_string(bytes) +
                                 " bytes of memory; a recording of this size justifies " +
                                 std::to_string(limits_.draw_memory));
    }
    memory_->set(MemoryMeter::Use::draw, bytes);
}

PreparedDraw DrawPipeline::prepare(const DrawCall& call, const DrawingState& state, const RenderTargets& targets) {
    const RasterizerObject& rasterizer = rasterizer_of(state, kind_of(call.mode));
    const CompiledShader& vertex = shader_of(state, ShaderStage::vertex);
    const CompiledShader& fragment = shader_of(state, ShaderStage::fragment);
    Linkage linkage = link(vertex.shader, fragment.shader, rasterizer, kind_of(call.mode));
    if (!rasterizer.point_size_per_vertex) linkage.point_size_output = -1;

    auto work = std::make_unique<FragmentWork>();
    work->offset = call.offset;
    work->program = &fragment;
    work->primitive_kind = kind_of(call.mode);
    if (!rasterizer.discard)
        set_up_fragments(state, targets, linkage, *work);
    else
        work->samples = targets.samples;
    const Framebuffer& framebuffer = targets.framebuffer;
    refuse_feedback(vertex.shader, state.stages[0], framebuffer, work->use.written);
    work->use.sampled_by_vertices = sampled_targets(vertex.shader, state.stages[0], framebuffer);
    return {call, rasterizer, vertex, fragment, std::move(linkage), std::move(work)};
}

std::unique_ptr<FragmentWork> DrawPipeline::issue(PreparedDraw prepared, const DrawingState& state,
                                                  const RenderTargets& targets, Frame* frame) {
    static const VertexElementsObject no_elements;
    const DrawCall& call = prepared.call;
    const RasterizerObject& rasterizer = prepared.rasterizer;
    const CompiledShader& vertex = prepared.vertex;
    const Linkage& linkage = prepared.linkage;
    std::unique_ptr<FragmentWork> work = std::move(prepared.work);

    const PrimitiveWork primitives = primitive_work(call, state, targets, rasterizer, linkage);
    if (primitives.smooth_lines) {
        work->smooth_lines = true;
        work->primitive_kind = PrimitiveKind::triangle;
    }
    const BoundConstants vertex_constants(state.stages[0], ShaderStage::vertex, vertex.shader.constant_sizes);
    TextureBindings vertex_textures;
    bind_textures(vertex.shader, state.stages[0], vertex_textures, work->sampled);
    mark_written(vertex.shader, state.stages[0], targets.framebuffer, work->use.written, vertex_textures);
    const VertexFetcher fetcher(state.vertex_elements ? *state.vertex_elements : no_elements, state.vertex_buffers,
                                call.start_instance);
    const UserClipping clipping = user_clipping(state, rasterizer, vertex.shader, linkage);
    const std::uint64_t vertex_bytes =
        VertexArray::bytes_of_vertex(linkage.outputs.size(), clipping.planes.size() + clipping.distances.size());
    take_memory(call, call.indexed ? 0 : std::uint64_t{call.count} * call.instance_count, vertex_bytes);
    const VertexOrder order = order_vertices(call, state.index_buffer);
    if (order.order.empty()) {
        memory_->set(MemoryMeter::Use::draw, 0);
        return nullptr;
    }
    take_memory(call, std::uint64_t{order.distinct.size()} * call.instance_count, vertex_bytes);
    vertex_stage_.shade(
        {vertex, linkage, vertex_constants, vertex_textures, fetcher, order, call, primitives.clip_rules,
         state.viewport, clipping.planes, clipping.distances, rasterizer.clamp_vertex_colour},
        frame != nullptr, work->shaded);
    make_primitives(call, order, work->shaded, primitives, *workers_, work->drawn);
    if (frame != nullptr) {
        if (!rasterizer.discard) work->input_hash = hash_of_draw(*work, state);
        const RecordedDraw recorded{call, state.index_buffer, fetcher, order, vertex, vertex_constants};
        record_draw(recorded, *library_, *work, *frame, *memory_);
    }
    memory_->set(MemoryMeter::Use::draw, 0);
    return work;
}

}  // namespace models::functional
