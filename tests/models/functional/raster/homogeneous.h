// Triangles in homogeneous coordinates, never clipped nor divided: what clipping and interpolation are checked against.
// The point of a triangle seen at (x, y) in the window is the combination l of its vertices, not necessarily with w >
// 0, that projects there; it lies inside when no weight is negative.
#pragma once

#include <array>
#include <cmath>
#include <optional>

#include <rapidcheck.h>

#include "models/functional/raster/vertices.h"

namespace models::functional::reference {

using Vec4 = std::array<float, 4>;

// Positions in and around the view volume, in front of the eye and behind it.
inline rc::Gen<Vec4> any_position() {
    const auto number = [](int limit) {
        return rc::gen::map(rc::gen::inRange(-limit, limit + 1), [](int n) { return static_cast<float>(n) / 1000.0F; });
    };
    return rc::gen::map(rc::gen::tuple(number(4000), number(4000), number(2500), number(1500)),
                        [](const std::tuple<float, float, float, float>& t) {
                            return Vec4{std::get<0>(t), std::get<1>(t), std::get<2>(t), std::get<3>(t) + 0.75F};
                        });
}

struct Weights {
    double weight[3] = {};  // times w they sum to 1

    double interpolate(const std::array<float, 3>& values) const {  // a clip-space quantity divided by w
        return weight[0] * values[0] + weight[1] * values[1] + weight[2] * values[2];
    }
    double attribute(const std::array<float, 3>& values) const {
        return interpolate(values) / (weight[0] + weight[1] + weight[2]);
    }
};

class Homogeneous {
  public:
    Homogeneous(const std::array<Vec4, 3>& v, const Viewport& viewport) : viewport_(viewport) {
        for (int i = 0; i < 3; ++i) {
            const Vec4 &p = v[static_cast<std::size_t>((i + 1) % 3)], &q = v[static_cast<std::size_t>((i + 2) % 3)];
            const double px = p[0], py = p[1], pw = p[3], qx = q[0], qy = q[1], qw = q[3];
            rows_[i] = {py * qw - pw * qy, pw * qx - px * qw, px * qy - py * qx};
        }
        determinant_ = rows_[0][0] * v[0][0] + rows_[0][1] * v[0][1] + rows_[0][2] * v[0][3];
    }

    bool front() const { return determinant_ > 0; }
    double determinant() const { return determinant_; }

    // Nothing when (x, y) is outside the triangle.
    std::optional<Weights> at(double x, double y) const {
        const double nx = (x - viewport_.translate[0]) / viewport_.scale[0];
        const double ny = (y - viewport_.translate[1]) / viewport_.scale[1];
        Weights weights;
        for (int i = 0; i < 3; ++i) {
            weights.weight[i] = (rows_[i][0] * nx + rows_[i][1] * ny + rows_[i][2]) / determinant_;
            if (!(weights.weight[i] >= 0)) return std::nullopt;
        }
        return weights;
    }

  private:
    Viewport viewport_;
    std::array<double, 3> rows_[3];
    double determinant_ = 0;
};

// Whether pixel (x, y) is inside, when the whole neighbourhood of its sample agrees: snapping moves edges a little.
template <class Inside>
std::optional<bool> decided(const Inside& inside, int x, int y) {
    constexpr double margin = 1.0 / 64;
    const bool centre = inside(x + 0.5, y + 0.5);
    for (int i = 0; i < 8; ++i) {
        const double angle = i * 0.78539816339744831;
        if (inside(x + 0.5 + margin * std::cos(angle), y + 0.5 + margin * std::sin(angle)) != centre)
            return std::nullopt;
    }
    return centre;
}

}  // namespace models::functional::reference
