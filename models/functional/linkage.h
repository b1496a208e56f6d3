// How the outputs of a vertex program reach the inputs of a fragment program: by semantic and index.
#pragma once

#include <cstdint>
#include <vector>

#include "models/functional/raster/assembly.h"
#include "models/functional/raster/interpolate.h"
#include "models/functional/tgsi/shader.h"
#include "models/functional/virgl/objects.h"

namespace models::functional {

struct Linkage {
    // Of the attributes of a VertexArray.
    std::vector<std::int16_t> outputs;  // output register of the vertex program
    std::vector<Interpolation> interpolation;

    std::vector<InputRule> inputs;  // of the fragment program, by input register

    // Registers, or -1.
    int position_output = -1;
    int point_size_output = -1;
    int clip_vertex_output = -1;                 // what user clip planes are applied to; else the position
    std::vector<std::int16_t> distance_outputs;  // CLIPDIST registers, four distances each
    int position_input = -1;
};

// Throws InputError by name for inputs that Tessera does not provide. An input that no output feeds reads as zero.
Linkage link(const tgsi::Shader& vertex, const tgsi::Shader& fragment, const RasterizerObject& rasterizer,
             PrimitiveKind kind);

}  // namespace models::functional
