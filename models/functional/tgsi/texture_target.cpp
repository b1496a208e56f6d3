#include "models/functional/tgsi/texture_target.h"

#include <algorithm>
#include <array>

namespace models::functional::tgsi {
namespace {

// In the order of TextureTarget.
constexpr std::array<TargetInfo, 17> table = {{
    {"BUFFER", TextureTarget::buffer, 1, 1, -1, false, false, Projection::is_refused},
    {"1D", TextureTarget::t1d, 1, 1, -1, true, false, Projection::divides},
    {"2D", TextureTarget::t2d, 2, 2, -1, true, false, Projection::divides},
    {"3D", TextureTarget::t3d, 3, 3, -1, true, false, Projection::divides},
    {"CUBE", TextureTarget::cube, 3, 3, -1, true, false, Projection::is_ignored},
    {"RECT", TextureTarget::rect, 2, 2, -1, false, false, Projection::divides},
    {"SHADOW1D", TextureTarget::shadow1d, 1, 1, 2, true, false, Projection::divides},
    {"SHADOW2D", TextureTarget::shadow2d, 2, 2, 2, true, false, Projection::divides},
    {"SHADOWRECT", TextureTarget::shadow_rect, 2, 2, 2, false, false, Projection::divides},
    {"1D_ARRAY", TextureTarget::t1d_array, 2, 1, -1, true, false, Projection::is_refused},
    {"2D_ARRAY", TextureTarget::t2d_array, 3, 2, -1, true, false, Projection::is_refused},
    {"SHADOW1D_ARRAY", TextureTarget::shadow1d_array, 2, 1, 2, true, false, Projection::is_refused},
    {"SHADOW2D_ARRAY", TextureTarget::shadow2d_array, 3, 2, 3, true, false, Projection::is_refused},
    {"SHADOWCUBE", TextureTarget::shadow_cube, 3, 3, 3, true, false, Projection::is_refused},
    {"CUBEARRAY", TextureTarget::cube_array, 4, 3, -1, true, false, Projection::is_refused},
    {"SHADOWCUBEARRAY", TextureTarget::shadow_cube_array, 4, 3, -1, true, false, Projection::is_refused},
    {"2D_MSAA", TextureTarget::t2d_multisampled, 2, 2, -1, true, true, Projection::is_refused},
}};

}  // namespace

const TargetInfo& target_info(TextureTarget target) {
    return table[static_cast<std::size_t>(target)];
}

std::optional<TextureTarget> find_target(std::string_view name) {
    const auto* found =
        std::find_if(table.begin(), table.end(), [&](const TargetInfo& info) { return info.name == name; });
    if (found == table.end()) return std::nullopt;
    return found->target;
}

}  // namespace models::functional::tgsi
