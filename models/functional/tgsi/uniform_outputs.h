// Which outputs of a vertex program are the same for all vertices of a draw: immediates or uniforms, copied at the end
// of the program. The reference renderer links its programs and does not interpolate such values, which would round
// them.
#pragma once

#include <cstdint>
#include <vector>

#include "models/functional/tgsi/shader.h"

namespace models::functional::tgsi {

// For each output a mask of components. Only what follows all branches and loops of the program counts.
std::vector<std::uint8_t> find_uniform_outputs(const Shader& shader);

}  // namespace models::functional::tgsi
