#include "models/functional/target_use.h"

#include <string>

#include "engine/error.h"

namespace models::functional {

namespace {

bool overlaps(const SamplerViewObject& view, const SamplerState* sampler, const SurfaceObject& surface) {
    const SamplerView& v = view.view;
    const bool one_level = sampler == nullptr || sampler->mip_filter == MipFilter::none;
    const std::uint32_t last_level = one_level ? v.first_level : v.last_level;
    const bool volume = v.target == ResourceTarget::t3d;
    return view.resource == surface.resource && surface.level >= v.first_level && surface.level <= last_level &&
           (volume || (surface.layer >= v.first_layer && surface.layer <= v.last_layer));
}

// The surfaces that one texture unit can read.
TargetMask sampled_by_unit(const tgsi::Shader& shader, const StageState& stage, const Framebuffer& framebuffer,
                           std::size_t unit) {
    if (!shader.samplers[unit].declared || unit >= stage.views.size() || !stage.views[unit]) return 0;
    const auto reads = [&](const std::shared_ptr<const SurfaceObject>& surface) {
        return surface && overlaps(*stage.views[unit], stage.samplers[unit].get(), *surface);
    };
    TargetMask sampled = reads(framebuffer.depth) ? depth_target : 0;
    for (std::size_t i = 0; i < framebuffer.colour.size(); ++i)
        sampled |= TargetMask{reads(framebuffer.colour[i])} << i;
    return sampled;
}

}  // namespace

TargetMask sampled_targets(const tgsi::Shader& shader, const StageState& stage, const Framebuffer& framebuffer) {
    TargetMask sampled = 0;
    for (std::size_t unit = 0; unit < shader.samplers.size(); ++unit)
        sampled |= sampled_by_unit(shader, stage, framebuffer, unit);
    return sampled;
}

void refuse_feedback(const tgsi::Shader& shader, const StageState& stage, const Framebuffer& framebuffer,
                     TargetMask written) {
    for (std::size_t unit = 0; unit < shader.samplers.size(); ++unit) {
        if ((sampled_by_unit(shader, stage, framebuffer, unit) & written) != 0) {
            throw engine::InputError("sampling the surface that the same draw writes is not supported (texture unit " +
                                     std::to_string(unit) + ")");
        }
    }
}

}  // namespace models::functional
