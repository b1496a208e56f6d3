#include "models/functional/input_hash.h"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>

namespace models::functional {

namespace {

void add_contents(const SamplerView& view, ContentHash& hash) {
    const Resource& resource = *view.resource;
    for (std::uint32_t level = view.first_level; level <= std::min(view.last_level, resource.levels() - 1); ++level) {
        const bool volume = view.target == ResourceTarget::t3d;
        const std::uint32_t layers = resource.level(level).layers;
        const std::uint32_t last = volume ? layers - 1 : std::min(view.last_layer, layers - 1);
        for (std::uint32_t layer = volume ? 0 : view.first_layer; layer <= last; ++layer)
            hash.add(resource.content_hash(level, layer));
    }
}

void add(const SamplerView& view, ContentHash& hash) {
    const Resource::Level& base = view.resource->level(0);
    for (const std::uint32_t number :
         {base.width, base.height, base.layers, view.first_level, view.last_level, view.first_layer, view.last_layer,
          view.first_element, view.last_element, view.resource->description().samples}) {
        hash.add(number);
    }
    hash.add(view.format);
    hash.add(view.target);
    for (const Swizzle swizzle : view.swizzle) hash.add(swizzle);
    add_contents(view, hash);
}

void add(const SamplerState& sampler, ContentHash& hash) {
    hash.add(sampler.wrap_s);
    hash.add(sampler.wrap_t);
    hash.add(sampler.wrap_r);
    hash.add(sampler.min_filter);
    hash.add(sampler.mag_filter);
    hash.add(sampler.mip_filter);
    hash.add(sampler.compare);
    hash.add(sampler.compare_function);
    hash.add(sampler.seamless_cube);
    hash.add(sampler.unnormalised);
    hash.add(sampler.max_anisotropy);
    for (const float number : {sampler.lod_bias, sampler.min_lod, sampler.max_lod}) hash.add(number);
    for (const float component : sampler.border_colour) hash.add(component);
}

void add_program(const FragmentWork& work, ContentHash& hash) {
    hash.add_bytes(std::as_bytes(std::span(work.program->shader.program.text)));
    for (const std::span<const float> buffer : work.constants.spans()) {
        hash.add(buffer.size());
        hash.add_bytes(std::as_bytes(buffer));
    }
    for (const InputRule& input : work.inputs) {
        hash.add(input.source);
        hash.add(input.interpolation);
        hash.add(input.components);
        hash.add(input.uniform);
        hash.add(input.centroid);
        hash.add(input.attribute);
        hash.add(input.back_attribute);
    }
    hash.add(work.position_input);
    hash.add(work.pixel_centre);
    hash.add(work.flipped_height);
    hash.add(work.primitive_kind);
    hash.add(work.smooth_lines);
}

void add_textures(const FragmentWork& work, const StageState& stage, ContentHash& hash) {
    static const SamplerState default_sampler;
    const auto& samplers = work.program->shader.samplers;
    for (std::size_t unit = 0; unit < samplers.size() && unit < stage.views.size(); ++unit) {
        if (!samplers[unit].declared || !stage.views[unit]) continue;
        hash.add(unit);
        add(stage.views[unit]->view, hash);
        add(stage.samplers[unit] ? *stage.samplers[unit] : default_sampler, hash);
    }
}

void add_tests(const FragmentWork& work, const DrawingState& state, ContentHash& hash) {
    if (state.depth_stencil_alpha) {
        hash.add(state.depth_stencil_alpha->state);
        hash.add(state.depth_stencil_alpha->alpha_test);
        hash.add(state.depth_stencil_alpha->alpha_function);
        hash.add(state.depth_stencil_alpha->alpha_reference);
    }
    hash.add(state.stencil_reference[0]);
    hash.add(state.stencil_reference[1]);
    hash.add(work.early_depth);
    hash.add(work.clamp_depth);
    hash.add(work.least_depth);
    hash.add(work.most_depth);
    hash.add(work.multisample);
    hash.add(work.sample_mask);
    hash.add(work.coverage_alpha);
    hash.add(work.alpha_to_one);
}

void add_blending(const FragmentWork& work, const DrawingState& state, ContentHash& hash) {
    if (state.blend) {
        hash.add(state.blend->state.logic_enabled);
        hash.add(state.blend->state.logic);
        for (const TargetBlend& target : state.blend->targets) hash.add(target);
    }
    for (const float component : state.blend_colour) hash.add(component);
    for (const BoundOutput& output : work.outputs) {
        hash.add(output.output);
        hash.add(output.second);
        hash.add(output.clamp);
    }
}

void add(const TransferAxis& axis, ContentHash& hash) {
    for (const std::int32_t number : {axis.to, axis.size_to, axis.from, axis.size_from}) hash.add(number);
}

}  // namespace

std::uint64_t hash_of_draw(const FragmentWork& work, const DrawingState& state) {
    ContentHash hash;
    add_program(work, hash);
    add_textures(work, state.stages[1], hash);
    add_tests(work, state, hash);
    add_blending(work, state, hash);
    return hash.value();
}

std::uint64_t hash_of_transfer(const FragmentWork& work, const TransferCommand& command) {
    ContentHash hash;
    for (const TransferSide* side : {&command.source, &command.target}) {
        const TransferBox& box = side->box;
        for (const std::int32_t number : {box.x, box.y, box.z, box.width, box.height, box.depth}) hash.add(number);
        hash.add(side->format);
    }
    const TransferRectangle& r = work.rectangle;
    for (const std::int32_t number : {r.region.x0, r.region.y0, r.region.x1, r.region.y1}) hash.add(number);
    hash.add(r.layer);
    if (work.copy) {
        add(work.copy->x, hash);
        add(work.copy->y, hash);
        hash.add(work.copy->mask);
    }
    hash.add(command.mask);
    hash.add(command.linear);
    const Resource& source = *command.source.resource;
    for (std::uint32_t layer = 0; layer < source.level(command.source.level).layers; ++layer)
        hash.add(source.content_hash(command.source.level, layer));
    return hash.value();
}

void add_primitive(const SetupPrimitive& primitive, const VertexView& vertices, ContentHash& hash) {
    const RasterPrimitive& raster = primitive.raster;
    const InterpolationBasis& basis = primitive.basis;
    constexpr std::size_t most_words = 11 + 4 * 5;  // at most four edges
    std::array<std::uint32_t, most_words> words;    // NOLINT: filled as far as it is used
    std::size_t count = 0;
    const auto add = [&](auto value) { words[count++] = std::bit_cast<std::uint32_t>(value); };
    for (const std::int32_t number : {raster.box.x0, raster.box.y0, raster.box.x1, raster.box.y1}) add(number);
    for (const float number : {basis.origin, basis.depth_offset, basis.sprite_s, basis.sprite_t,
                               basis.smooth.half_width, basis.smooth.half_length})
        add(number);
    add(static_cast<std::uint32_t>(basis.front_facing ? 1 : 0));
    for (std::size_t e = 0; e < static_cast<std::size_t>(raster.edge_count); ++e) {
        const Edge& edge = raster.edges[e];
        add(static_cast<std::uint32_t>(edge.c & 0xffffffff));
        add(static_cast<std::uint32_t>(edge.c >> 32));
        add(edge.a);
        add(edge.b);
        add(std::uint32_t{raster.fraction[e]});
    }
    hash.add_bytes(std::as_bytes(std::span(words).first(count)));
    const std::size_t floats = 8 + 4 * static_cast<std::size_t>(vertices.drawn.attributes());
    const auto add_vertex = [&](std::uint32_t vertex) {
        hash.add_bytes(std::as_bytes(std::span(vertices.clip(vertex), floats)));
    };
    const ClippedPrimitive& clipped = primitive.clipped;
    std::for_each(std::begin(clipped.vertex), std::end(clipped.vertex), add_vertex);
    const auto* const provoking = std::find(std::begin(clipped.vertex), std::end(clipped.vertex), clipped.provoking);
    hash.add(static_cast<std::uint32_t>(provoking - std::begin(clipped.vertex)));
    if (provoking == std::end(clipped.vertex)) add_vertex(clipped.provoking);
}

}  // namespace models::functional
