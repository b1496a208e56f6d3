#include "models/functional/texture/bound_texture.h"

#include <array>
#include <bit>
#include <functional>
#include <limits>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/models/functional/texture/texture_kit.h"

namespace models::functional {
namespace {

using namespace kit;  // NOLINT(google-build-using-namespace): the tests' own words

void expect_refusal(Texture& texture, const std::string& reason) {
    TextureBindings bindings;
    try {
        bindings.bind(3, texture.view, texture.sampler);
        FAIL() << reason;
    } catch (const engine::InputError& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr(reason));
    }
}

TEST(BoundTextures, ViewsThatDoNotFitAreRefused) {
    const auto with = [](const std::function<void(SamplerView&)>& change, const std::string& reason) {
        Texture texture({.target = ResourceTarget::t2d_array,
                         .format = Format::r8g8b8a8_unorm,
                         .width = 8,
                         .height = 8,
                         .array_size = 4});
        change(texture.view);
        expect_refusal(texture, reason);
    };
    with([](SamplerView& v) { v.format = static_cast<Format>(255); }, "BPTC_RGBA_UNORM");
    with([](SamplerView& v) { v.format = Format::r8_unorm; }, "R8G8B8A8_UNORM");
    with([](SamplerView& v) { v.last_level = 1; }, "levels 0 to 1 of 1");
    with([](SamplerView& v) { v.last_layer = 4; }, "layers 0 to 4 of 4");
    with([](SamplerView& v) { v.target = ResourceTarget::cube; }, "cube of 4 faces");
    with([](SamplerView& v) { v.target = ResourceTarget::t3d; }, "a 3D texture and another kind are not views");
    with([](SamplerView& v) { v.target = ResourceTarget::buffer; }, "a buffer is viewed as a texture");
}

// Views a resource of 8-bit RGBA as `target`.
void expect_refusal(const ResourceDescription& description, ResourceTarget target, const std::string& reason) {
    Texture texture(description);
    texture.view.format = Format::r8g8b8a8_unorm;
    texture.view.target = target;
    expect_refusal(texture, "sampler view of format R8G8B8A8_UNORM: " + reason);
}

TEST(BoundTextures, ViewsOfAnotherKindAreRefused) {
    ResourceDescription buffer = plane(Format::r8_unorm, 256, 1);
    buffer.target = ResourceTarget::buffer;
    expect_refusal(buffer, ResourceTarget::t2d, "a buffer is viewed as a texture");
    ResourceDescription volume = plane(Format::r8g8b8a8_unorm, 8, 8);
    volume.target = ResourceTarget::t3d;
    expect_refusal(volume, ResourceTarget::t2d, "a 3D texture and another kind are not views of each other");
    ResourceDescription multisampled = plane(Format::r8g8b8a8_unorm, 8, 8);
    multisampled.samples = multisamples;
    expect_refusal(multisampled, ResourceTarget::t2d_array, "a multisampled texture viewed as an array");
    ResourceDescription oblong = plane(Format::r8g8b8a8_unorm, 8, 4);
    oblong.target = ResourceTarget::t2d_array;
    oblong.array_size = 6;
    expect_refusal(oblong, ResourceTarget::cube, "a cube of 6 faces of 8x4 texels");
}

Format format_called(const std::string& name) {
    std::uint32_t number = 0;
    while (number < 1024 && format_name(number) != name) ++number;
    return static_cast<Format>(number);
}

Rgba bound_border(const std::string& format, const Rgba& colour) {
    Texture texture(plane(format_called(format), 4, 4));
    std::copy_n(colour.begin(), 4, texture.sampler.border_colour);
    Rgba border;
    std::copy_n(BoundTexture(texture.view, texture.sampler).border, 4, border.begin());
    return border;
}

TEST(BoundTextures, BorderColoursAreLimitedToWhatTheFormatHolds) {
    const Rgba colour = {1.7F, -0.6F, -3, 2.2F};
    EXPECT_EQ(bound_border("R8G8B8A8_UNORM", colour), (Rgba{1, 0, 0, 1}));
    EXPECT_EQ(bound_border("R8G8B8A8_SRGB", colour), (Rgba{1, 0, 0, 1}));
    EXPECT_EQ(bound_border("DXT5_RGBA", colour), (Rgba{1, 0, 0, 1}));
    EXPECT_EQ(bound_border("Z24X8_UNORM", colour), (Rgba{1, 1, 1, 1}));
    EXPECT_EQ(bound_border("R8G8B8A8_SNORM", colour), (Rgba{1, -0.6F, -1, 1}));
    EXPECT_EQ(bound_border("RGTC2_SNORM", colour), (Rgba{1, -0.6F, 0, 1}));
    EXPECT_EQ(bound_border("R11G11B10_FLOAT", colour), (Rgba{1.7F, 0, 0, 1}));
    EXPECT_EQ(bound_border("R9G9B9E5_FLOAT", {-1, 1e6F, 2, 3}), (Rgba{0, 65408, 2, 1}));
    EXPECT_EQ(bound_border("R16G16B16A16_FLOAT", {1e6F, -0.6F, -3, 2}), (Rgba{1e6F, -0.6F, -3, 2}));
    EXPECT_EQ(bound_border("Z32_FLOAT", colour), (Rgba{1.7F, 1.7F, 1.7F, 1}));
    const float none = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(bound_border("R8G8B8A8_UNORM", {none, 0, 0, none}), (Rgba{}));
}

std::array<std::int32_t, 4> integer_border(const std::string& format, const std::array<std::int32_t, 4>& colour) {
    return std::bit_cast<std::array<std::int32_t, 4>>(bound_border(format, std::bit_cast<Rgba>(colour)));
}

TEST(BoundTextures, BorderColoursOfIntegersAreLimitedToTheirBits) {
    using Integers = std::array<std::int32_t, 4>;
    const Integers colour = {40000, -30000, 200, -5};
    EXPECT_EQ(integer_border("R8G8B8A8_SINT", colour), (Integers{127, -128, 127, -5}));
    EXPECT_EQ(integer_border("R16G16B16A16_SINT", colour), (Integers{32767, -30000, 200, -5}));
    EXPECT_EQ(integer_border("R32G32B32A32_SINT", colour), colour);
    EXPECT_EQ(integer_border("R8G8_SINT", colour), (Integers{127, -128, 0, 1}));
    EXPECT_EQ(integer_border("R8G8B8A8_UINT", colour), (Integers{255, 255, 200, 255}));
    EXPECT_EQ(integer_border("R16_UINT", {70000, 1, 1, 1}), (Integers{65535, 0, 0, 1}));
    EXPECT_EQ(integer_border("R10G10B10A2_UINT", {70000, 300, 5, 1 << 20}), (Integers{1023, 300, 5, 3}));
    EXPECT_EQ(integer_border("L8A8_SINT", {200, 1, 1, -200}), (Integers{127, 127, 127, -128}));
    EXPECT_EQ(integer_border("X24S8_UINT", {300, 0, 0, 0})[0], 255);
}

}  // namespace
}  // namespace models::functional
