// The vertices of a draw after the vertex program, as one flat array of floats, and where they land in the window.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace models::functional {

inline constexpr int clip_distance_limit = 8;

// From clip space to the window: window = clip / w * scale + translate. A negative scale[1] flips the image.
struct Viewport {
    float scale[3] = {1, 1, 1};
    float translate[3] = {};
};

// A vertex is its clip-space position (x, y, z, w), its window position (x, y, z in pixels and depth, and 1/w), its
// vec4 attributes, and its signed distances to the user clip planes, in this order.
class VertexArray {
  public:
    VertexArray() = default;
    VertexArray(int attributes, int clip_distances) { reset(attributes, clip_distances); }

    static constexpr std::size_t floats_of_vertex(std::size_t attributes, std::size_t clip_distances) {
        return 8 + 4 * attributes + clip_distances;
    }
    static constexpr std::size_t bytes_of_vertex(std::size_t attributes, std::size_t clip_distances) {
        return floats_of_vertex(attributes, clip_distances) * sizeof(float) + sizeof(std::uint16_t);
    }

    // Empties the array and gives it a new shape; keeps the memory.
    void reset(int attributes, int clip_distances) {
        attributes_ = attributes;
        clip_distances_ = clip_distances;
        stride_ = floats_of_vertex(static_cast<std::size_t>(attributes), static_cast<std::size_t>(clip_distances));
        data_.clear();
        codes_.clear();
    }
    // New vertices are zeros.
    void resize(std::uint32_t count) {
        data_.resize(count * stride_, 0.0F);
        codes_.resize(count);
    }
    // Leaves new vertices undefined until zero() has been called for them: threads may each zero theirs.
    void resize_undefined(std::uint32_t count) {
        data_.resize(count * stride_);
        codes_.resize(count);
    }
    void zero(std::uint32_t first, std::uint32_t count) { std::fill_n(clip(first), count * stride_, 0.0F); }

    std::uint32_t size() const { return static_cast<std::uint32_t>(codes_.size()); }
    int attributes() const { return attributes_; }
    int clip_distances() const { return clip_distances_; }

    float* clip(std::uint32_t vertex) { return &data_[vertex * stride_]; }
    const float* clip(std::uint32_t vertex) const { return &data_[vertex * stride_]; }
    float* window(std::uint32_t vertex) { return clip(vertex) + 4; }
    const float* window(std::uint32_t vertex) const { return clip(vertex) + 4; }
    float* attribute(std::uint32_t vertex, int index) { return clip(vertex) + 8 + 4 * index; }
    const float* attribute(std::uint32_t vertex, int index) const { return clip(vertex) + 8 + 4 * index; }
    float* distances(std::uint32_t vertex) { return attribute(vertex, attributes_); }
    const float* distances(std::uint32_t vertex) const { return attribute(vertex, attributes_); }

    // A bit for every plane the vertex is outside of (clip.h numbers them); 0: inside, and window() is valid.
    std::uint16_t& code(std::uint32_t vertex) { return codes_[vertex]; }
    std::uint16_t code(std::uint32_t vertex) const { return codes_[vertex]; }

  private:
    // Lets a vector grow without writing to what is new.
    struct Undefined : std::allocator<float> {
        template <class>
        struct rebind {               // NOLINT(readability-identifier-naming): std::allocator_traits asks for it
            using other = Undefined;  // NOLINT(readability-identifier-naming)
        };
        void construct(float*) {}
        void construct(float* at, float value) { *at = value; }
    };

    int attributes_ = 0, clip_distances_ = 0;
    std::size_t stride_ = 8;
    std::vector<float, Undefined> data_;
    std::vector<std::uint16_t> codes_;
};

// Writes the window position of a vertex from its clip-space position.
void project(VertexArray& vertices, std::uint32_t vertex, const Viewport& viewport);

// The vertices of a draw together with those the clipper made. An index with the bit `made_vertex` set is in `made`.
inline constexpr std::uint32_t made_vertex = 0x80000000;

struct VertexView {
    const VertexArray& drawn;
    const VertexArray& made;

    const float* clip(std::uint32_t vertex) const {
        return (vertex & made_vertex) != 0 ? made.clip(vertex ^ made_vertex) : drawn.clip(vertex);
    }
    const float* window(std::uint32_t vertex) const { return clip(vertex) + 4; }
    const float* attribute(std::uint32_t vertex, int index) const { return clip(vertex) + 8 + 4 * index; }
    const float* distances(std::uint32_t vertex) const { return attribute(vertex, drawn.attributes()); }
};

}  // namespace models::functional
