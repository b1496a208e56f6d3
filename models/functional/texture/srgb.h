// The transfer curve of sRGB (IEC 61966-2-1).
#pragma once

#include <array>

namespace models::functional {

float srgb_to_linear(float encoded);
float linear_to_srgb(float linear);  // clamped to 0..1

// Linear value of an 8-bit encoded one.
const std::array<float, 256>& srgb_table();

}  // namespace models::functional
