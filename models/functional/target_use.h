// Which surfaces of its pass a draw writes and which it samples. What is sampled is read from memory, where the writes
// of a pass arrive when it ends: a pass ends before a draw that samples what earlier draws of the pass wrote, and
// before one that writes what they sample. A draw that samples what it writes itself has no such place and is refused:
// in OpenGL what it reads is undefined, or after a texture barrier defined only texel by texel. Of filters that is
// known ahead; a fetch names its level when it is executed, and is refused then.
#pragma once

#include <cstdint>

#include "models/functional/texture/texture_unit.h"
#include "models/functional/tgsi/shader.h"
#include "models/functional/virgl/context.h"

namespace models::functional {

// Bit i is colour target i.
using TargetMask = std::uint32_t;
inline constexpr TargetMask depth_target = 1U << max_colour_targets;  // depth and stencil

struct TargetUse {
    TargetMask written = 0;
    TargetMask sampled_by_vertices = 0;   // when the draw is issued
    TargetMask sampled_by_fragments = 0;  // when the tiles are rendered
};

// The surfaces that the textures which a program declares can read.
TargetMask sampled_targets(const tgsi::Shader& shader, const StageState& stage, const Framebuffer& framebuffer);

// Throws InputError, with the texture unit, when filters can read those written.
void refuse_feedback(const tgsi::Shader& shader, const StageState& stage, const Framebuffer& framebuffer,
                     TargetMask written);

// Has fetches of levels that are written refused when they are executed.
void mark_written(const tgsi::Shader& shader, const StageState& stage, const Framebuffer& framebuffer,
                  TargetMask written, TextureBindings& textures);

}  // namespace models::functional
