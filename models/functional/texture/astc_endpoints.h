// The two colours between which the texels of an ASTC partition lie.
#pragma once

#include <cstdint>

namespace models::functional {

struct AstcEndpoints {
    int c[2][4] = {};     // 0..255: r, g, b, a
    bool defined = true;  // false: the texels between them have the error colour
};

// How many values an endpoint mode (0 to 15) takes: 2, 4, 6 or 8.
constexpr int values_of_mode(int mode) {
    return (mode / 4 + 1) * 2;
}

// False for the modes of the HDR profile.
bool decode_endpoints(int mode, const std::uint8_t* values, AstcEndpoints& endpoints);

}  // namespace models::functional
