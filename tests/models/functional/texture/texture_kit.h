// What tests of the texture unit share: textures of noise, a unit with one texture, requests for a single lane, and
// the wrap modes by the words of the OpenGL specification, in doubles.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "models/functional/texture/texture_unit.h"

namespace models::functional::kit {

using Rgba = std::array<float, 4>;

inline std::uint32_t noise(std::uint32_t a, std::uint32_t b = 0, std::uint32_t c = 0) {
    std::uint32_t h = a * 0x9e3779b1U ^ b * 0x85ebca77U ^ c * 0xc2b2ae3dU ^ 0x27d4eb2fU;
    h = (h ^ (h >> 15)) * 0x2c1b3c6dU;
    h = (h ^ (h >> 12)) * 0x297a2d39U;
    return h ^ (h >> 15);
}

// A resource with the views and the unit that sample it.
class Texture {
  public:
    explicit Texture(const ResourceDescription& description) : resource_(description, space_) {
        const ResourceDescription& d = resource_.description();
        view.resource = &resource_;
        view.format = d.format;
        view.target = d.target;
        view.last_level = d.last_level;
        view.last_layer = d.target == ResourceTarget::t3d ? 0 : d.array_size - 1;
    }

    // Each texel from (level, layer, x, y).
    void fill(const std::function<Rgba(std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t)>& colour) {
        for (std::uint32_t number = 0; number < resource_.levels(); ++number) {
            for (std::uint32_t layer = 0; layer < resource_.level(number).layers; ++layer) {
                const SurfaceView surface = resource_.surface(number, layer);
                for (std::uint32_t y = 0; y < surface.height; ++y) {
                    for (std::uint32_t x = 0; x < surface.width; ++x) {
                        const Rgba rgba = colour(number, layer, x, y);
                        const float texel[1][4] = {{rgba[0], rgba[1], rgba[2], rgba[3]}};
                        pack_floats(*surface.format, texel, 1, surface.texel(x, y));
                    }
                }
            }
        }
    }
    void fill_noise() {
        fill([](std::uint32_t level, std::uint32_t layer, std::uint32_t x, std::uint32_t y) {
            const std::uint32_t n = noise(x, y, layer * 16 + level);
            return Rgba{static_cast<float>(n & 255U) / 255.0F, static_cast<float>((n >> 8) & 255U) / 255.0F,
                        static_cast<float>((n >> 16) & 255U) / 255.0F, static_cast<float>(n >> 24) / 255.0F};
        });
    }
    Rgba texel(std::uint32_t level, std::uint32_t layer, std::uint32_t x, std::uint32_t y) {
        const SurfaceView surface = resource_.surface(level, layer);
        float rgba[1][4];
        unpack_floats(*surface.format, surface.texel(x, y), 1, rgba);
        return {rgba[0][0], rgba[0][1], rgba[0][2], rgba[0][3]};
    }
    Resource& resource() { return resource_; }

    SamplerView view;
    SamplerState sampler;

  private:
    AddressSpace space_;
    Resource resource_;
};

// A batch of coordinates and what came back.
struct Batch {
    Vec4Lanes result{};
    float coordinates[4][batch_lanes] = {};
    float lod[batch_lanes] = {};
    float reference[batch_lanes] = {};
    float ddx[3][batch_lanes] = {};
    float ddy[3][batch_lanes] = {};
    TextureRequest request;
    Footprint footprint;

    Batch() {
        for (int c = 0; c < 4; ++c) request.coordinates[c] = coordinates[c];
        for (int c = 0; c < 3; ++c) {
            request.ddx[c] = ddx[c];
            request.ddy[c] = ddy[c];
        }
        request.lod = lod;
        request.active = ~LaneMask{0};
        request.operation = TextureOperation::sample_lod;
    }

    // The same point for all lanes.
    Batch& at(float s, float t = 0, float r = 0, float q = 0) {
        const float point[4] = {s, t, r, q};
        for (int c = 0; c < 4; ++c) std::fill_n(coordinates[c], batch_lanes, point[c]);
        return *this;
    }
    // From the point, steps per pixel of the screen in s and t.
    Batch& slope(float s, float t, float dsdx, float dtdx, float dsdy, float dtdy) {
        for (int lane = 0; lane < batch_lanes; ++lane) {
            const auto x = static_cast<float>(lane & 1), y = static_cast<float>((lane >> 1) & 1);
            coordinates[0][lane] = s + x * dsdx + y * dsdy;
            coordinates[1][lane] = t + x * dtdx + y * dtdy;
        }
        return *this;
    }

    Batch& run(const Texture& texture, LaneGrouping grouping = LaneGrouping::quads) {
        TextureBindings bindings;
        bindings.bind(0, texture.view, texture.sampler);
        TextureUnit unit;
        footprint.clear();
        unit.begin(bindings, grouping, &footprint);
        unit.sample(request, result);
        return *this;
    }

    Rgba colour(int lane = 0) const {
        return {result.c[0][lane], result.c[1][lane], result.c[2][lane], result.c[3][lane]};
    }
    std::vector<BlockNumber> blocks(int group = 0) const {
        const FootprintEntry& entry = footprint.entries.back();
        std::size_t first = entry.first_block;
        for (int g = 0; g < group; ++g) first += entry.count[static_cast<std::size_t>(g)];
        const auto begin = footprint.blocks.begin() + static_cast<std::ptrdiff_t>(first);
        return {begin, begin + entry.count[static_cast<std::size_t>(group)]};
    }
};

inline float bits(int value) {
    return std::bit_cast<float>(value);
}

// Texel i of an axis after the wrap mode; -1 or size: the border (OpenGL 4.6, table 8.20).
inline int wrapped(Wrap wrap, int i, int size) {
    const auto mod = [](int a, int b) { return ((a % b) + b) % b; };
    const auto mirror = [](int a) { return a >= 0 ? a : -(1 + a); };
    switch (wrap) {
        case Wrap::repeat:
            return mod(i, size);
        case Wrap::clamp:
        case Wrap::clamp_to_border:
        case Wrap::mirror_clamp:
        case Wrap::mirror_clamp_to_border:
            return std::clamp(i, -1, size);
        case Wrap::clamp_to_edge:
            return std::clamp(i, 0, size - 1);
        case Wrap::mirror_repeat:
            return (size - 1) - mirror(mod(i, 2 * size) - size);
        case Wrap::mirror_clamp_to_edge:
            return std::clamp(mirror(i), 0, size - 1);
    }
    return 0;
}

// The coordinate in texels, clamped or mirrored first where the mode says so. The two mirroring modes with a border
// mirror the coordinate, not the texel: next to 0 the border shows, as in llvmpipe.
inline double in_texels(Wrap wrap, double coordinate, int size) {
    if (wrap == Wrap::mirror_clamp || wrap == Wrap::mirror_clamp_to_border) coordinate = std::abs(coordinate);
    if (wrap == Wrap::clamp || wrap == Wrap::mirror_clamp) coordinate = std::clamp(coordinate, 0.0, 1.0);
    return coordinate * size;
}

inline constexpr Wrap all_wraps[] = {
    Wrap::repeat,        Wrap::clamp,        Wrap::clamp_to_edge,        Wrap::clamp_to_border,
    Wrap::mirror_repeat, Wrap::mirror_clamp, Wrap::mirror_clamp_to_edge, Wrap::mirror_clamp_to_border};

inline ResourceDescription plane(Format format, std::uint32_t width, std::uint32_t height,
                                 std::uint32_t last_level = 0) {
    return {
        .target = ResourceTarget::t2d, .format = format, .width = width, .height = height, .last_level = last_level};
}

inline void use_linear(Texture& texture) {
    texture.sampler.min_filter = texture.sampler.mag_filter = ImageFilter::linear;
}

inline void expect_near(const Rgba& found, const Rgba& expected, double tolerance) {
    for (std::size_t c = 0; c < 4; ++c) ASSERT_NEAR(found[c], expected[c], tolerance) << "component " << c;
}

inline Rgba mix(float weight, const Rgba& a, const Rgba& b) {
    Rgba result;
    for (std::size_t c = 0; c < 4; ++c) result[c] = a[c] + weight * (b[c] - a[c]);
    return result;
}

// Level n is of the colour n / 8.
inline void fill_levels(Texture& texture) {
    texture.fill([](std::uint32_t level, auto, auto, auto) {
        const float v = static_cast<float>(level) / 8;
        return Rgba{v, v, v, v};
    });
    texture.sampler.mip_filter = MipFilter::linear;
    texture.sampler.max_lod = 1000;
    use_linear(texture);
}

}  // namespace models::functional::kit
