#include "models/functional/texture/bound_texture.h"

#include <functional>

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

}  // namespace
}  // namespace models::functional
