// The reference of all parameters, from their declarations: what `tessera params` prints.
#pragma once

#include <string>

#include "engine/parameter.h"

namespace io {

enum class ReferenceFormat { table, json, markdown };

std::string parameter_reference(const engine::ParameterGroup& root, ReferenceFormat format);

}  // namespace io
