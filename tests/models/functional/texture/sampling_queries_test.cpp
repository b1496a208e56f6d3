#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "models/functional/texture/sampling.h"
#include "tests/models/functional/texture/texture_kit.h"

namespace models::functional {
namespace {

using namespace kit;  // NOLINT(google-build-using-namespace): the tests' own words

TEST(SamplingQueries, ShadowsCompareBeforeTheyFilter) {
    Texture texture(plane(Format::z32_float, 2, 1));
    texture.fill([](auto, auto, std::uint32_t x, auto) { return Rgba{x == 0 ? 0.25F : 0.75F, 0, 0, 1}; });
    texture.sampler.compare = true;
    texture.sampler.compare_function = CompareFunction::lequal;
    texture.sampler.wrap_s = texture.sampler.wrap_t = Wrap::clamp_to_edge;
    Batch batch;
    batch.request.target = TextureTarget::shadow2d;
    batch.request.reference = batch.reference;
    std::fill_n(batch.reference, batch_lanes, 0.5F);
    EXPECT_EQ(batch.at(0.25F, 0.5F).run(texture).colour(), (Rgba{0, 0, 0, 0}));
    EXPECT_EQ(batch.at(0.75F, 0.5F).run(texture).colour(), (Rgba{1, 1, 1, 1}));
    use_linear(texture);
    EXPECT_FLOAT_EQ(batch.at(0.6F, 0.5F).run(texture).colour()[0], 0.7F);
    texture.sampler.compare_function = CompareFunction::greater;
    EXPECT_FLOAT_EQ(batch.run(texture).colour()[0], 0.3F);
    batch.request.reference = nullptr;
    EXPECT_FLOAT_EQ(batch.run(texture).colour()[0], 0.6F);
}

TEST(SamplingQueries, ReferencesOfNormalisedDepthAreClamped) {
    Texture texture(plane(Format::z16_unorm, 1, 1));
    texture.fill([](auto, auto, auto, auto) { return Rgba{1, 0, 0, 1}; });
    texture.sampler.compare = true;
    texture.sampler.compare_function = CompareFunction::lequal;
    Batch batch;
    batch.request.target = TextureTarget::shadow2d;
    batch.request.reference = batch.reference;
    std::fill_n(batch.reference, batch_lanes, 1.5F);
    EXPECT_EQ(batch.at(0.5F, 0.5F).run(texture).colour()[0], 1);
}

TEST(SamplingQueries, FetchesReadOneTexelOrNothing) {
    Texture texture(plane(Format::r8g8b8x8_unorm, 8, 4, 3));
    texture.fill_noise();
    Batch batch;
    batch.request.operation = TextureOperation::fetch;
    const auto fetch = [&](int x, int y, int lod) {
        std::fill_n(batch.lod, batch_lanes, bits(lod));
        return batch.at(bits(x), bits(y)).run(texture).colour();
    };
    EXPECT_EQ(fetch(7, 3, 0), texture.texel(0, 0, 7, 3));
    EXPECT_EQ(fetch(1, 1, 1), texture.texel(1, 0, 1, 1));
    const Rgba nothing = {0, 0, 0, 1};
    EXPECT_EQ(fetch(8, 0, 0), nothing);
    EXPECT_EQ(fetch(-1, 0, 0), nothing);
    EXPECT_EQ(fetch(0, 4, 0), nothing);
    EXPECT_EQ(fetch(0, 0, 4), nothing);
    EXPECT_EQ(fetch(0, 0, -1), nothing);
    EXPECT_TRUE(batch.footprint.blocks.empty());
    batch.request.offset[0] = 2;
    batch.request.offset[1] = -1;
    EXPECT_EQ(fetch(1, 3, 0), texture.texel(0, 0, 3, 2));
}

TEST(SamplingQueries, BuffersAreFetchedByElement) {
    Texture texture({.target = ResourceTarget::buffer, .format = Format::r8_unorm, .width = 64});
    for (std::size_t i = 0; i < 64; ++i) texture.resource().bytes()[i] = static_cast<std::byte>(i);
    texture.view.format = Format::r8g8b8a8_unorm;
    texture.view.first_element = 2;
    texture.view.last_element = 9;
    Batch batch;
    batch.request.operation = TextureOperation::fetch;
    batch.request.target = TextureTarget::buffer;
    batch.request.lod = nullptr;
    EXPECT_FLOAT_EQ(batch.at(bits(3)).run(texture).colour()[0], 20.0F / 255);
    EXPECT_EQ(batch.at(bits(8)).run(texture).colour(), (Rgba{0, 0, 0, 0}));
    batch.request.operation = TextureOperation::size_query;
    EXPECT_EQ(std::bit_cast<int>(batch.run(texture).colour()[0]), 8);
    texture.view.last_element = 16;
    EXPECT_THROW(batch.run(texture), engine::InputError);
}

TEST(SamplingQueries, GathersGoRoundFromTheLowerLeft) {
    Texture texture(plane(Format::r8g8b8a8_unorm, 8, 8));
    texture.fill_noise();
    Batch batch;
    batch.request.operation = TextureOperation::gather;
    batch.request.gather_component = 2;
    batch.at(0.5F, 0.25F).run(texture);  // texels (3, 1) to (4, 2)
    EXPECT_EQ(batch.colour(), (Rgba{texture.texel(0, 0, 3, 2)[2], texture.texel(0, 0, 4, 2)[2],
                                    texture.texel(0, 0, 4, 1)[2], texture.texel(0, 0, 3, 1)[2]}));
    texture.view.swizzle[2] = Swizzle::one;
    EXPECT_EQ(batch.run(texture).colour(), (Rgba{1, 1, 1, 1}));
}

TEST(SamplingQueries, SizesAreThoseOfTheLevel) {
    Texture array({.target = ResourceTarget::t2d_array,
                   .format = Format::r8_unorm,
                   .width = 16,
                   .height = 8,
                   .array_size = 5,
                   .last_level = 4});
    Batch batch;
    batch.request.operation = TextureOperation::size_query;
    batch.request.target = TextureTarget::t2d_array;
    const auto sizes = [&](const Texture& texture, int lod) {
        std::fill_n(batch.lod, batch_lanes, bits(lod));
        const Rgba colour = batch.run(texture).colour();
        std::array<int, 4> result{};
        for (std::size_t c = 0; c < 4; ++c) result[c] = std::bit_cast<int>(colour[c]);
        return result;
    };
    EXPECT_EQ(sizes(array, 1), (std::array{8, 4, 5, 5}));
    EXPECT_EQ(sizes(array, 5), (std::array{0, 0, 0, 5}));
    array.view.first_level = 1;
    EXPECT_EQ(sizes(array, 1), (std::array{4, 2, 5, 4}));
    const Texture volume(
        {.target = ResourceTarget::t3d, .format = Format::r8_unorm, .width = 16, .height = 8, .depth = 4});
    batch.request.target = TextureTarget::t3d;
    EXPECT_EQ(sizes(volume, 0), (std::array{16, 8, 4, 1}));
    const Texture cubes(
        {.target = ResourceTarget::cube_array, .format = Format::r8_unorm, .width = 4, .height = 4, .array_size = 12});
    batch.request.target = TextureTarget::cube_array;
    EXPECT_EQ(sizes(cubes, 0), (std::array{4, 4, 2, 1}));
}

TEST(SamplingQueries, LodQueriesTellTheLevelAndTheRawLod) {
    Texture texture(plane(Format::r8_unorm, 256, 256, 3));
    fill_levels(texture);
    Batch batch;
    batch.request.operation = TextureOperation::lod_query;
    batch.slope(0.3F, 0.4F, 64.0F / 256, 0, 0, 1.0F / 256).run(texture);
    EXPECT_EQ(batch.colour(), (Rgba{3, 6, 0, 0}));
    batch.slope(0.3F, 0.4F, 0.5F / 256, 0, 0, 0.25F / 256).run(texture);
    EXPECT_EQ(batch.colour(), (Rgba{0, -1, 0, 0}));
}

}  // namespace
}  // namespace models::functional
