// Cube maps: which face a direction meets and where, with its derivatives, and the texels across the edges of a face.
// Faces are +x -x +y -y +z -z; of equal components z wins over y over x.
#pragma once

namespace models::functional {

struct CubePoint {
    int face = 0;
    float s = 0, t = 0;  // 0..1 on the face
};

CubePoint project_to_cube(const float direction[3]);

// The derivative of (s, t) along a change of the direction, at `direction` and on its face.
void project_derivative(const float direction[3], const float change[3], float derivative[2]);

struct CubeTexel {
    int face = 0, x = 0, y = 0;
};

// The texel of a face of `size` texels; x or y, not both, may be one texel outside: then the neighbour across the edge.
CubeTexel across_edge(int face, int x, int y, int size);

}  // namespace models::functional
