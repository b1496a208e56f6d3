#include "models/functional/texture/cube.h"

#include <array>
#include <cmath>
#include <set>
#include <tuple>

#include <gtest/gtest.h>

namespace models::functional {
namespace {

// OpenGL 4.6, table 8.19: the direction of (sc, tc, ma) for each face.
std::array<double, 3> direction_of(int face, double sc, double tc) {
    switch (face) {
        case 0:
            return {1, -tc, -sc};
        case 1:
            return {-1, -tc, sc};
        case 2:
            return {sc, 1, tc};
        case 3:
            return {sc, -1, -tc};
        case 4:
            return {sc, -tc, 1};
        default:
            return {-sc, -tc, -1};
    }
}

TEST(Cube, DirectionsMeetTheFaceThatTheTableNames) {
    for (int face = 0; face < 6; ++face) {
        for (const double sc : {-0.9, -0.3, 0.0, 0.7}) {
            for (const double tc : {-0.8, 0.1, 0.95}) {
                const auto d = direction_of(face, sc, tc);
                const float v[3] = {static_cast<float>(2.5 * d[0]), static_cast<float>(2.5 * d[1]),
                                    static_cast<float>(2.5 * d[2])};
                const CubePoint point = project_to_cube(v);
                EXPECT_EQ(point.face, face);
                EXPECT_NEAR(point.s, (sc + 1) / 2, 1e-6);
                EXPECT_NEAR(point.t, (tc + 1) / 2, 1e-6);
            }
        }
    }
}

TEST(Cube, TiesGoToZThenYThenX) {
    const float all[3] = {1, 1, 1}, xy[3] = {-1, -1, 0}, nothing[3] = {0, 0, 0};
    EXPECT_EQ(project_to_cube(all).face, 4);
    EXPECT_EQ(project_to_cube(xy).face, 3);
    EXPECT_EQ(project_to_cube(nothing).s, 0.5F);
}

TEST(Cube, DerivativesAreThoseOfTheProjection) {
    for (int face = 0; face < 6; ++face) {
        const auto d = direction_of(face, 0.3, -0.6);
        const float v[3] = {static_cast<float>(2 * d[0]), static_cast<float>(2 * d[1]), static_cast<float>(2 * d[2])};
        const float change[3] = {0.11F, -0.07F, 0.05F};
        constexpr float step = 1e-3F;
        float moved[3];
        for (int i = 0; i < 3; ++i) moved[i] = v[i] + step * change[i];
        const CubePoint from = project_to_cube(v), to = project_to_cube(moved);
        float derivative[2];
        project_derivative(v, change, derivative);
        EXPECT_NEAR(derivative[0], (to.s - from.s) / step, 2e-3) << face;
        EXPECT_NEAR(derivative[1], (to.t - from.t) / step, 2e-3) << face;
    }
}

// The neighbour across an edge is the texel whose centre, on the cube, is nearest to that of the edge texel.
TEST(Cube, TexelsAcrossAnEdgeAreTheNearestOnTheNextFace) {
    constexpr int size = 8;
    const auto centre = [](int face, int x, int y) {
        return direction_of(face, (2.0 * x + 1) / size - 1, (2.0 * y + 1) / size - 1);
    };
    for (int face = 0; face < 6; ++face) {
        for (int i = 0; i < size; ++i) {
            for (const auto& [x, y, inside_x, inside_y] :
                 {std::tuple{-1, i, 0, i}, {size, i, size - 1, i}, {i, -1, i, 0}, {i, size, i, size - 1}}) {
                const CubeTexel texel = across_edge(face, x, y, size);
                EXPECT_NE(texel.face, face);
                const auto a = centre(face, inside_x, inside_y), b = centre(texel.face, texel.x, texel.y);
                const double distance = std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
                EXPECT_NEAR(distance, std::sqrt(2.0) / size, 1e-9) << face << " " << x << " " << y;
            }
        }
    }
}

TEST(Cube, TexelsInsideStay) {
    const CubeTexel texel = across_edge(3, 2, 5, 8);
    EXPECT_EQ(std::tie(texel.face, texel.x, texel.y), std::make_tuple(3, 2, 5));
}

}  // namespace
}  // namespace models::functional
