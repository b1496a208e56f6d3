#include "models/functional/fragment_setup.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "engine/error.h"

namespace models::functional {

void bind_textures(const tgsi::Shader& shader, const StageState& stage, TextureBindings& textures,
                   std::vector<std::shared_ptr<Resource>>& sampled) {
    static const SamplerState default_sampler;
    for (std::size_t unit = 0; unit < shader.samplers.size(); ++unit) {
        if (!shader.samplers[unit].declared || unit >= stage.views.size() || !stage.views[unit])
            continue;  // sampling it is refused when it happens
        const SamplerViewObject& view = *stage.views[unit];
        const SamplerState& sampler = stage.samplers[unit] ? *stage.samplers[unit] : default_sampler;
        textures.bind(static_cast<int>(unit), view.view, sampler);
        sampled.push_back(view.resource);
    }
}

namespace {

void set_up_depth_clamp(const DrawingState& state, FragmentWork& work) {
    if (!state.rasterizer || state.rasterizer->depth_clip) return;
    const float scale = state.viewport.scale[2], middle = state.viewport.translate[2];
    const float near = state.rasterizer->clip_half_z ? middle : middle - scale;
    const float far = middle + scale;
    work.clamp_depth = true;
    work.least_depth = std::min(near, far);
    work.most_depth = std::max(near, far);
}

void set_up_depth(const DrawingState& state, const RenderTargets& targets, FragmentWork& work) {
    const tgsi::Shader& shader = work.program->shader;
    if (shader.writes_stencil) throw engine::InputError("stencil written by a fragment shader is not supported");
    if (shader.writes_depth) work.depth_output = tgsi::Shader::find(shader.outputs, tgsi::Semantic::position);
    if (!targets.framebuffer.depth || !state.depth_stencil_alpha) return;
    DepthStencilState depth = state.depth_stencil_alpha->state;
    depth.reference[0] = state.stencil_reference[0];
    depth.reference[1] = state.stencil_reference[1];
    const SurfaceView surface = view_of(*targets.framebuffer.depth);
    work.depth.emplace(depth, surface);
    work.depth_test = work.depth->tests_depth();
    work.stencil_test = work.depth->tests_stencil();
    work.depth_write = work.depth->writes_depth();
    work.stencil_write = work.depth->writes_stencil();
    // Where stencil is tested it is taken to change.
    const bool updates = work.depth_write || work.stencil_test;
    work.early_depth = work.tests() && !shader.writes_depth && !(work.discards && updates);
    work.early_depth |= work.tests() && shader.early_depth_stencil;
    work.early_test = work.early_depth || (work.tests() && !shader.writes_depth && !work.depth->changes_on_failure());
    work.use.written |= work.depth->writes() ? depth_target : 0;
    set_up_depth_clamp(state, work);
}

void set_up_colours(const DrawingState& state, const RenderTargets& targets, FragmentWork& work) {
    static const BlendObject default_blend;
    const tgsi::Shader& shader = work.program->shader;
    const BlendObject& blend = state.blend ? *state.blend : default_blend;
    BlendState common = blend.state;
    std::copy(std::begin(state.blend_colour), std::end(state.blend_colour), std::begin(common.constant));
    for (std::size_t i = 0; i < targets.framebuffer.colour.size(); ++i) {
        const auto& surface = targets.framebuffer.colour[i];
        const int index = shader.color0_writes_all ? 0 : static_cast<int>(i);
        const int output = tgsi::Shader::find(shader.outputs, tgsi::Semantic::color, index);
        if (!surface || output < 0) continue;
        const bool clamp = state.rasterizer && state.rasterizer->clamp_fragment_colour;
        BoundOutput bound{output, ColourOutput(common, blend.targets[i], view_of(*surface)), -1, clamp};
        if (bound.target.reads_second_source()) {
            bound.second = tgsi::Shader::find(shader.outputs, tgsi::Semantic::color, 1);
            if (bound.second < 0 || targets.framebuffer.colour.size() > 1) {
                throw engine::InputError(
                    "dual-source blending without a second colour, or with several targets, is not supported");
            }
        }
        const auto target = static_cast<unsigned>(i);
        work.colour_mask |= std::uint32_t{bound.target.channels_written()} << (4 * target);
        const auto bit = static_cast<std::uint8_t>(1U << target);
        if (bound.target.blends()) work.blend |= bit;
        if (bound.target.keeps_channels()) work.partial |= bit;
        work.outputs.push_back(bound);
        work.use.written |= TargetMask{bound.target.writes()} << i;
    }
}

}  // namespace

namespace {

// What the program reads of its fragment beside its inputs: where a pixel has several samples not which of them it is
// for, or which of them are covered.
void check_system_values(const FragmentWork& work) {
    using tgsi::Semantic;
    for (const tgsi::Varying& value : work.program->shader.system_values) {
        if (!value.declared || value.semantic == Semantic::face || value.semantic == Semantic::helper_invocation)
            continue;
        const bool is_place = value.semantic == Semantic::sample_id || value.semantic == Semantic::sample_pos;
        if (!is_place && value.semantic != Semantic::sample_mask)
            throw engine::InputError("a system value that fragment shaders do not have");
        if (work.multisample)
            throw engine::InputError(is_place
                                         ? "shading per sample is not supported"
                                         : "fragment shaders that read which samples are covered are not supported");
    }
}

// What is done sample by sample, in a framebuffer with several.
void set_up_samples(const DrawingState& state, const RenderTargets& targets, int first_colour, FragmentWork& work) {
    work.samples = targets.samples;
    if (targets.samples == 1 || !state.rasterizer || !state.rasterizer->multisample) return;
    const tgsi::Shader& shader = work.program->shader;
    const auto per_sample = [](const tgsi::Varying& input) {
        return input.declared && input.location == tgsi::InterpolationLocation::sample;
    };
    if (state.min_samples > 1 || state.rasterizer->per_sample_interpolation ||
        std::any_of(shader.inputs.begin(), shader.inputs.end(), per_sample)) {
        throw engine::InputError("shading per sample is not supported");
    }
    work.multisample = true;
    work.sample_mask = state.sample_mask;
    work.sample_mask_output = tgsi::Shader::find(shader.outputs, tgsi::Semantic::sample_mask);
    if (state.blend && state.blend->alpha_to_coverage) work.coverage_alpha = first_colour;
    work.alpha_to_one = state.blend && state.blend->alpha_to_one;
    work.centroids = std::any_of(work.inputs.begin(), work.inputs.end(), [](const InputRule& r) { return r.centroid; });
}

}  // namespace

namespace {

// What is behind the fragments of a draw is replaced where it is opaque.
Occlusion occlusion_of(const FragmentWork& work, const RenderTargets& targets) {
    if (!work.early_depth || !work.depth_write || work.stencil_write || work.discards) return Occlusion::none;
    if (work.colour_mask == 0) return Occlusion::depth;
    const auto& colour = targets.framebuffer.colour;
    const auto bound =
        std::count_if(colour.begin(), colour.end(), [](const auto& surface) { return surface != nullptr; });
    const bool all = static_cast<std::ptrdiff_t>(work.outputs.size()) == bound &&
                     std::all_of(work.outputs.begin(), work.outputs.end(),
                                 [](const BoundOutput& output) { return output.target.writes(); });
    return all && work.blend == 0 && work.partial == 0 ? Occlusion::colour : Occlusion::none;
}

}  // namespace

void set_up_outputs(const DrawingState& state, const RenderTargets& targets, FragmentWork& work) {
    const tgsi::Shader& shader = work.program->shader;
    const int first_colour = tgsi::Shader::find(shader.outputs, tgsi::Semantic::color, 0);
    set_up_samples(state, targets, first_colour, work);
    check_system_values(work);
    if (state.depth_stencil_alpha && state.depth_stencil_alpha->alpha_test && first_colour >= 0) {
        work.alpha_test = true;
        work.alpha_function = state.depth_stencil_alpha->alpha_function;
        work.alpha_reference = state.depth_stencil_alpha->alpha_reference;
        work.alpha_output = first_colour;
    }
    work.discards = shader.uses_kill || work.alpha_test || work.coverage_alpha >= 0 || work.sample_mask_output >= 0;
    set_up_depth(state, targets, work);
    set_up_colours(state, targets, work);
    work.writes = work.depth_write || work.stencil_write;
    for (const BoundOutput& output : work.outputs) work.writes |= output.target.writes();
    work.occlusion = occlusion_of(work, targets);
}

PolygonOffset polygon_offset(const RasterizerObject& rasterizer, const RenderTargets& targets) {
    PolygonOffset offset;
    if (!rasterizer.offset_triangle || !targets.framebuffer.depth) return offset;
    offset.units = rasterizer.offset_units;
    offset.scale = rasterizer.offset_scale;
    offset.clamp = rasterizer.offset_clamp;
    const FormatInfo& format = *view_of(*targets.framebuffer.depth).format;
    offset.floating_depth = format.type == ChannelType::floating;
    for (const Channel& channel : format.channels)
        if (channel.type == ChannelType::unorm) offset.resolution = 1.0 / (std::exp2(channel.bits) - 1);
    return offset;
}

}  // namespace models::functional
