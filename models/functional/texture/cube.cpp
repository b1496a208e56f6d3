#include "models/functional/texture/cube.h"

#include <cmath>
#include <cstdlib>

namespace models::functional {

namespace {

int major_axis(const float d[3]) {
    const float x = std::fabs(d[0]), y = std::fabs(d[1]), z = std::fabs(d[2]);
    if (z >= (x > y ? x : y)) return 2;
    return x > y ? 0 : 1;
}

// Components of a vector along a face's s and t axes. `negative`: the face on the negative side.
template <class T>
void face_components(int axis, bool negative, const T v[3], T& s, T& t) {
    switch (axis) {
        case 0:
            s = negative ? v[2] : -v[2];
            t = -v[1];
            break;
        case 1:
            s = v[0];
            t = negative ? -v[2] : v[2];
            break;
        default:
            s = negative ? -v[0] : v[0];
            t = -v[1];
    }
}

}  // namespace

CubePoint project_to_cube(const float direction[3]) {
    const int axis = major_axis(direction);
    const bool negative = std::signbit(direction[axis]);
    CubePoint point;
    point.face = 2 * axis + (negative ? 1 : 0);
    float s = 0, t = 0;
    face_components(axis, negative, direction, s, t);
    const float length = std::fabs(direction[axis]);
    const float half = length > 0 ? 0.5F / length : 0.0F;
    point.s = s * half + 0.5F;
    point.t = t * half + 0.5F;
    return point;
}

void project_derivative(const float direction[3], const float change[3], float derivative[2]) {
    const int axis = major_axis(direction);
    const bool negative = std::signbit(direction[axis]);
    float s = 0, t = 0, ds = 0, dt = 0;
    face_components(axis, negative, direction, s, t);
    face_components(axis, negative, change, ds, dt);
    // s' = (sc' - sc * ma' / ma) / (2 |ma|)
    const float inverse = 1.0F / direction[axis];
    const float relative = change[axis] * inverse;
    const float half = 0.5F * std::fabs(inverse);
    derivative[0] = (ds - relative * s) * half;
    derivative[1] = (dt - relative * t) * half;
}

CubeTexel across_edge(int face, int x, int y, int size) {
    if (x >= 0 && x < size && y >= 0 && y < size) return {face, x, y};
    // Texel centres in units of half a texel, the face's plane at distance `size`.
    const int axis = face / 2;
    const bool negative = face % 2 != 0;
    const int u = 2 * x + 1 - size, v = 2 * y + 1 - size;
    int point[3] = {};
    point[axis] = negative ? -size : size;
    switch (axis) {
        case 0:
            point[2] = negative ? u : -u;
            point[1] = -v;
            break;
        case 1:
            point[0] = u;
            point[2] = negative ? -v : v;
            break;
        default:
            point[0] = negative ? -u : u;
            point[1] = -v;
    }
    // The component that left the face is the major one of the neighbour; what was major ends just inside its edge.
    int over = 0;
    for (int i = 0; i < 3; ++i)
        if (std::abs(point[i]) > size) over = i;
    point[axis] = negative ? 1 - size : size - 1;
    const bool over_negative = point[over] < 0;
    point[over] = over_negative ? -size : size;
    int s = 0, t = 0;
    face_components(over, over_negative, point, s, t);
    return {2 * over + (over_negative ? 1 : 0), (s + size - 1) / 2, (t + size - 1) / 2};
}

}  // namespace models::functional
