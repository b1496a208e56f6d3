// Which registers a program may read, or hand out, without having written them. They are cleared before each run, so
// that results never depend on what ran before.
#pragma once

#include <cstdint>
#include <vector>

#include "models/functional/tgsi/shader.h"

namespace models::functional::tgsi {

struct Uninitialised {
    std::vector<std::uint8_t> temporaries, outputs;  // for each register a mask of components
};

Uninitialised find_uninitialised(const Shader& shader);

}  // namespace models::functional::tgsi
