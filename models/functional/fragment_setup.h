// From what is bound to what the tiles need: textures, tests and outputs of a draw's fragments.
#pragma once

#include "models/functional/draw_pipeline.h"
#include "models/functional/fragment_work.h"

namespace models::functional {

// Binds the textures that a program declares. `sampled` gets the resources.
void bind_textures(const tgsi::Shader& shader, const StageState& stage, TextureBindings& textures,
                   std::vector<std::shared_ptr<Resource>>& sampled);

// Depth, stencil and alpha tests and colour outputs of `work`, whose program is set.
void set_up_outputs(const DrawingState& state, const RenderTargets& targets, FragmentWork& work);

// How depth is offset in a depth format.
PolygonOffset polygon_offset(const RasterizerObject& rasterizer, const RenderTargets& targets);

}  // namespace models::functional
