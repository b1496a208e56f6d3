#include "models/functional/texture/srgb.h"

#include <cmath>

namespace models::functional {

float srgb_to_linear(float encoded) {
    if (encoded <= 0.04045F) return encoded / 12.92F;
    return static_cast<float>(std::pow((static_cast<double>(encoded) + 0.055) / 1.055, 2.4));
}

float linear_to_srgb(float linear) {
    if (!(linear > 0)) return 0;
    if (linear >= 1) return 1;
    if (linear < 0.0031308F) return 12.92F * linear;
    return static_cast<float>(1.055 * std::pow(static_cast<double>(linear), 1.0 / 2.4) - 0.055);
}

const std::array<float, 256>& srgb_table() {
    static const std::array<float, 256> table = [] {
        std::array<float, 256> values{};
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = srgb_to_linear(static_cast<float>(i) / 255.0F);
        return values;
    }();
    return table;
}

}  // namespace models::functional
