#include "models/functional/tgsi/texture_target.h"

#include <algorithm>
#include <array>

namespace models::functional::tgsi {
namespace {

// In the order of TextureTarget.
constexpr std::array<TargetInfo, 17> table = {{
    {"BUFFER", TextureTarget::buffer, 1, 1, -1, false, false},
    {"1D", TextureTarget::t1d, 1, 1, -1, true, false},
    {"2D", TextureTarget::t2d, 2, 2, -1, true, false},
    {"3D", TextureTarget::t3d, 3, 3, -1, true, false},
    {"CUBE", TextureTarget::cube, 3, 3, -1, true, false},
    {"RECT", TextureTarget::rect, 2, 2, -1, false, false},
    {"SHADOW1D", TextureTarget::shadow1d, 1, 1, 2, true, false},
    {"SHADOW2D", TextureTarget::shadow2d, 2, 2, 2, true, false},
    {"SHADOWRECT", TextureTarget::shadow_rect, 2, 2, 2, false, false},
    {"1D_ARRAY", TextureTarget::t1d_array, 2, 1, -1, true, false},
    {"2D_ARRAY", TextureTarget::t2d_array, 3, 2, -1, true, false},
    {"SHADOW1D_ARRAY", TextureTarget::shadow1d_array, 2, 1, 2, true, false},
    {"SHADOW2D_ARRAY", TextureTarget::shadow2d_array, 3, 2, 3, true, false},
    {"SHADOWCUBE", TextureTarget::shadow_cube, 3, 3, 3, true, false},
    {"CUBEARRAY", TextureTarget::cube_array, 4, 3, -1, true, false},
    {"SHADOWCUBEARRAY", TextureTarget::shadow_cube_array, 4, 3, -1, true, false},
    {"2D_MSAA", TextureTarget::t2d_multisampled, 2, 2, -1, true, true},
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
