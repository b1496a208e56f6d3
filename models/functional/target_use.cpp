#include "models/functional/target_use.h"

#include <algorithm>
#include <string>
#include <vector>

#include "engine/error.h"

namespace models::functional {

namespace {

bool overlaps(const SamplerViewObject& view, std::uint32_t last_level, const SurfaceObject& surface) {
    const SamplerView& v = view.view;
    const bool volume = v.target == ResourceTarget::t3d;
    return view.resource == surface.resource && surface.level >= v.first_level && surface.level <= last_level &&
           (volume || (surface.layer >= v.first_layer && surface.layer <= v.last_layer));
}

// How the instructions of a program read a texture unit.
enum class Reading : std::uint8_t { filters, fetches };

bool is_reading(Opcode opcode, Reading reading) {
    const bool fetches = opcode == Opcode::txf || opcode == Opcode::txf_lz;
    const bool asks = opcode == Opcode::txq || opcode == Opcode::lodq;  // reads no texel
    return reading == Reading::fetches ? fetches : !fetches && !asks;
}

// The surfaces that one texture unit can read so. A filter reads the levels that its sampler lets it mix, a fetch any
// level of the view.
TargetMask read_by_unit(const tgsi::Shader& shader, const StageState& stage, const Framebuffer& framebuffer,
                        std::size_t unit, Reading reading) {
    if (!shader.samplers[unit].declared || unit >= stage.views.size() || !stage.views[unit]) return 0;
    const SamplerViewObject& view = *stage.views[unit];
    const SamplerState* const sampler = stage.samplers[unit].get();
    const bool one_level = sampler == nullptr || sampler->mip_filter == MipFilter::none;
    const std::uint32_t last_level =
        one_level && reading == Reading::filters ? view.view.first_level : view.view.last_level;
    const auto reads = [&](const std::shared_ptr<const SurfaceObject>& surface) {
        return surface && overlaps(view, last_level, *surface);
    };
    TargetMask read = reads(framebuffer.depth) ? depth_target : 0;
    for (std::size_t i = 0; i < framebuffer.colour.size(); ++i) read |= TargetMask{reads(framebuffer.colour[i])} << i;
    if (read == 0) return 0;  // as is most often so
    const std::vector<tgsi::Operation>& code = shader.operations;
    const bool is_read = std::any_of(code.begin(), code.end(), [&](const tgsi::Operation& operation) {
        return operation.may_sample(static_cast<int>(unit)) && is_reading(operation.opcode, reading);
    });
    return is_read ? read : 0;
}

}  // namespace

TargetMask sampled_targets(const tgsi::Shader& shader, const StageState& stage, const Framebuffer& framebuffer) {
    TargetMask sampled = 0;
    for (std::size_t unit = 0; unit < shader.samplers.size(); ++unit)
        for (const Reading reading : {Reading::filters, Reading::fetches})
            sampled |= read_by_unit(shader, stage, framebuffer, unit, reading);
    return sampled;
}

void mark_written(const tgsi::Shader& shader, const StageState& stage, const Framebuffer& framebuffer,
                  TargetMask written, TextureBindings& textures) {
    for (std::size_t unit = 0; unit < shader.samplers.size(); ++unit) {
        const TargetMask fetched = read_by_unit(shader, stage, framebuffer, unit, Reading::fetches) & written;
        const auto mark = [&](const SurfaceObject& surface) {
            textures.mark_written(static_cast<int>(unit), surface.level);
        };
        if ((fetched & depth_target) != 0) mark(*framebuffer.depth);
        for (std::size_t i = 0; i < framebuffer.colour.size(); ++i)
            if ((fetched >> i & 1U) != 0) mark(*framebuffer.colour[i]);
    }
}

void refuse_feedback(const tgsi::Shader& shader, const StageState& stage, const Framebuffer& framebuffer,
                     TargetMask written) {
    for (std::size_t unit = 0; unit < shader.samplers.size(); ++unit) {
        if ((read_by_unit(shader, stage, framebuffer, unit, Reading::filters) & written) != 0) {
            throw engine::InputError("sampling the surface that the same draw writes is not supported (texture unit " +
                                     std::to_string(unit) + ")");
        }
    }
}

}  // namespace models::functional
