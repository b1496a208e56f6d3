#include "models/functional/texture/texture_unit.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/models/functional/texture/texture_kit.h"

namespace models::functional {
namespace {

using namespace kit;  // NOLINT(google-build-using-namespace): the tests' own words

TEST(TextureUnit, AUnitWithoutTextureIsBlack) {
    const TextureBindings bindings;
    TextureUnit unit;
    Footprint footprint;
    unit.begin(bindings, LaneGrouping::quads, &footprint);
    Batch batch;
    unit.sample(batch.request, batch.result);
    EXPECT_EQ(batch.colour(63), (Rgba{0, 0, 0, 1}));
    ASSERT_EQ(footprint.entries.size(), 1U);
    EXPECT_EQ(footprint.entries[0].count[0], 0);
}

TEST(TextureUnit, ProgramsMustMeanTheKindOfTextureThatIsBound) {
    Texture texture(plane(Format::r8_unorm, 4, 4));
    Batch batch;
    batch.request.target = TextureTarget::cube;
    try {
        batch.run(texture);
        FAIL();
    } catch (const engine::InputError& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("samples a cube texture on unit 0, which holds a 2D texture"));
    }
}

TEST(TextureUnit, OnlyQuadsWithAnActiveLaneAreWritten) {
    Texture texture(plane(Format::r8g8b8a8_unorm, 1, 1));
    texture.fill([](auto, auto, auto, auto) { return Rgba{1, 1, 1, 1}; });
    Batch batch;
    batch.request.active = 0b0000'0010'0000;
    batch.at(0.5F, 0.5F).run(texture);
    for (int lane = 0; lane < batch_lanes; ++lane)
        EXPECT_EQ(batch.colour(lane)[0], lane >= 4 && lane < 8 ? 1 : 0) << lane;
}

// All texels of the filters, straight from the definition.
TEST(TextureUnit, FootprintsAreTheBlocksOfTheFilteredTexels) {
    for (const Format format :
         {Format::r8g8b8a8_unorm, Format::r8_unorm, Format::r32g32b32a32_float, Format::dxt1_rgb}) {
        Texture texture(plane(format, 64, 32, 5));
        use_linear(texture);
        texture.sampler.mip_filter = MipFilter::linear;
        texture.sampler.max_lod = 1000;
        Batch batch;
        batch.request.active = 0xfedcba9876543210ULL;
        for (std::uint32_t lane = 0; lane < batch_lanes; ++lane) {
            batch.coordinates[0][lane] = (static_cast<float>(kit::noise(lane, 1) % 2048U) + 0.3F) / 1024 - 0.5F;
            batch.coordinates[1][lane] = (static_cast<float>(kit::noise(lane, 2) % 2048U) + 0.3F) / 1024 - 0.5F;
            batch.lod[lane] = static_cast<float>(lane % 8) / 2;
        }
        batch.run(texture);
        for (int quad = 0; quad < batch_quads; ++quad) {
            std::vector<BlockNumber> expected;
            for (int lane = 4 * quad; lane < 4 * quad + 4; ++lane) {
                if (((batch.request.active >> lane) & 1U) == 0) continue;
                const auto low = static_cast<std::uint32_t>(batch.lod[lane]);
                const bool two = batch.lod[lane] > static_cast<float>(low);
                for (std::uint32_t number = low; number <= low + (two ? 1 : 0); ++number) {
                    const Resource::Level& level = texture.resource().level(number);
                    const int w = static_cast<int>(level.width), h = static_cast<int>(level.height);
                    const int x = static_cast<int>(std::floor(double{batch.coordinates[0][lane]} * w - 0.5));
                    const int y = static_cast<int>(std::floor(double{batch.coordinates[1][lane]} * h - 0.5));
                    for (int j = y; j <= y + 1; ++j) {
                        for (int i = x; i <= x + 1; ++i) {
                            const Address address =
                                level.address +
                                level.layout.offset(static_cast<std::uint32_t>(wrapped(Wrap::repeat, i, w)),
                                                    static_cast<std::uint32_t>(wrapped(Wrap::repeat, j, h)));
                            const auto block = static_cast<BlockNumber>(address / 64);
                            if (std::find(expected.begin(), expected.end(), block) == expected.end())
                                expected.push_back(block);
                        }
                    }
                }
            }
            ASSERT_EQ(batch.blocks(quad), expected) << format_name(format) << " quad " << quad;
        }
    }
}

TEST(TextureUnit, VertexFootprintsAreThoseOfSingleLanes) {
    Texture texture(plane(Format::r8g8b8a8_unorm, 64, 64));
    Batch batch;
    batch.request.instruction = 17;
    batch.request.active = 0b1011;
    for (int lane = 0; lane < 4; ++lane) batch.coordinates[0][lane] = static_cast<float>(lane) * 4.5F / 64;
    batch.run(texture, LaneGrouping::lanes);
    EXPECT_EQ(batch.footprint.entries.back().instruction, 17);
    for (int lane = 0; lane < 4; ++lane) {
        const std::size_t expected = lane == 2 ? 0 : 1;
        ASSERT_EQ(batch.blocks(lane).size(), expected);
    }
    EXPECT_NE(batch.blocks(0), batch.blocks(1));
}

TEST(TextureUnit, BordersTouchNoMemory) {
    Texture texture(plane(Format::r8g8b8a8_unorm, 8, 8));
    texture.sampler.wrap_s = texture.sampler.wrap_t = Wrap::clamp_to_border;
    use_linear(texture);
    Batch batch;
    batch.at(3, 3).run(texture);
    EXPECT_TRUE(batch.blocks(0).empty());
    batch.at(0, 0).run(texture);
    EXPECT_EQ(batch.blocks(0).size(), 1U);
}

}  // namespace
}  // namespace models::functional
