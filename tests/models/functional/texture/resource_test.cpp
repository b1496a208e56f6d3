#include "models/functional/texture/resource.h"

#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"

namespace models::functional {
namespace {

ResourceDescription texture(std::uint32_t width, std::uint32_t height, Format format = Format::r8g8b8a8_unorm) {
    return {.target = ResourceTarget::t2d, .format = format, .width = width, .height = height};
}

std::vector<std::byte> counting(std::size_t bytes) {
    std::vector<std::byte> data(bytes);
    for (std::size_t i = 0; i < bytes; ++i) data[i] = static_cast<std::byte>(i * 7 + 1);
    return data;
}

void expect_refusal(const ResourceDescription& description, const std::string& reason) {
    AddressSpace space;
    try {
        const Resource resource(description, space);
        FAIL() << "expected: " << reason;
    } catch (const engine::InputError& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr(reason));
    }
    EXPECT_EQ(space.allocated_bytes(), 0U);
}

TEST(Resource, LaysLevelsAfterEachOther) {
    AddressSpace space;
    ResourceDescription d = texture(16, 8);
    d.last_level = 4;
    d.target = ResourceTarget::t2d_array;
    d.array_size = 3;
    const Resource r(d, space);
    ASSERT_EQ(r.levels(), 5U);
    EXPECT_EQ(r.level(1).width, 8U);
    EXPECT_EQ(r.level(3).height, 1U);
    EXPECT_EQ(r.level(4).layers, 3U);
    for (std::uint32_t i = 1; i < 5; ++i) {
        const Resource::Level &before = r.level(i - 1), &level = r.level(i);
        EXPECT_EQ(level.offset, before.offset + before.layer_bytes * 3);
        EXPECT_EQ(level.address, before.address + before.layout.bytes * 3);
    }
    EXPECT_EQ(r.bytes().size(), r.level(4).offset + 12);
}

TEST(Resource, SamplesAreImagesOfTheirOwnButNeighboursInSimulatedMemory) {
    AddressSpace space;
    ResourceDescription d = texture(16, 8);
    d.samples = multisamples;
    Resource r(d, space);
    const std::size_t texel = r.format().block_bytes;
    EXPECT_EQ(r.bytes().size(), 16 * 8 * texel * 4);
    const SurfaceView whole = r.surface(0, 0);
    EXPECT_EQ(whole.samples, 4U);
    for (std::uint32_t sample = 0; sample < 4; ++sample) {
        const SurfaceView view = whole.sample(sample);
        EXPECT_EQ(view.samples, 1U);
        EXPECT_EQ(view.texels, whole.texels + sample * 16 * 8 * texel);
        EXPECT_EQ(view.texel_address(5, 3), whole.texel_address(5, 3) + sample * texel);
    }
    EXPECT_EQ(whole.texel_address(1, 0), whole.texel_address(0, 0) + 4 * texel);
}

TEST(Resource, SlicesOfA3DTextureShrinkWithTheLevel) {
    AddressSpace space;
    const Resource r({.target = ResourceTarget::t3d,
                      .format = Format::r8_unorm,
                      .width = 8,
                      .height = 8,
                      .depth = 4,
                      .last_level = 3},
                     space);
    EXPECT_EQ(r.level(1).layers, 2U);
    EXPECT_EQ(r.level(3).layers, 1U);
}

TEST(Resource, ReturnsWhatWasPut) {
    AddressSpace space;
    Resource r(texture(10, 6), space);
    const Box box{.x = 2, .y = 1, .z = 0, .width = 5, .height = 3, .depth = 1};
    const std::vector<std::byte> data = counting(2 * 32 + 20);
    r.transfer_put(0, box, 32, 0, data);
    std::vector<std::byte> back(60);
    r.transfer_get(0, box, 0, 0, back);
    for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t i = 0; i < 20; ++i) ASSERT_EQ(back[row * 20 + i], data[row * 32 + i]);
    EXPECT_EQ(r.bytes()[(1 * 10 + 2) * 4], data[0]);
    EXPECT_EQ(r.bytes()[(1 * 10 + 1) * 4], std::byte{0});
    EXPECT_EQ(r.bytes()[(1 * 10 + 7) * 4], std::byte{0});
}

TEST(Resource, PutsLayersWithTheirStride) {
    AddressSpace space;
    ResourceDescription d = texture(2, 2);
    d.target = ResourceTarget::cube;
    d.array_size = 6;
    Resource r(d, space);
    const std::vector<std::byte> data = counting(100 + 16);
    r.transfer_put(0, {.x = 0, .y = 0, .z = 3, .width = 2, .height = 2, .depth = 2}, 8, 100, data);
    EXPECT_EQ(r.surface(0, 3).texels[0], data[0]);
    EXPECT_EQ(r.surface(0, 4).texels[15], data[115]);
    EXPECT_EQ(r.surface(0, 2).texels[0], std::byte{0});
}

TEST(Resource, CompressedTransfersCountBlocks) {
    AddressSpace space;
    Resource r(texture(10, 10, Format::dxt1_rgb), space);
    EXPECT_EQ(r.bytes().size(), 3U * 3 * 8);
    const Box box{.x = 4, .y = 4, .z = 0, .width = 6, .height = 6, .depth = 1};
    EXPECT_EQ(r.transfer_bytes(box, 0, 0), 32U);
    const std::vector<std::byte> data = counting(32);
    r.transfer_put(0, box, 0, 0, data);
    EXPECT_EQ(r.bytes()[(3 + 1) * 8], data[0]);
    EXPECT_EQ(r.bytes()[(6 + 2) * 8 + 7], data[31]);
    EXPECT_THROW(r.transfer_put(0, {.x = 2, .y = 0, .z = 0, .width = 4, .height = 4, .depth = 1}, 0, 0, data),
                 engine::InputError);
}

TEST(Resource, BuffersAreBytes) {
    AddressSpace space;
    Resource r({.target = ResourceTarget::buffer, .format = Format::r32g32b32a32_float, .width = 100}, space);
    EXPECT_EQ(r.bytes().size(), 100U);
    const std::vector<std::byte> data = counting(50);
    r.transfer_put(0, {.x = 50, .y = 0, .z = 0, .width = 50, .height = 1, .depth = 1}, 0, 0, data);
    EXPECT_EQ(r.bytes()[99], data[49]);
}

TEST(Resource, BadTransfersAreRefused) {
    AddressSpace space;
    Resource r(texture(8, 8), space);
    std::vector<std::byte> data(8 * 8 * 4);
    const auto refused = [&](std::uint32_t level, Box box, std::uint32_t stride, std::size_t bytes,
                             const char* reason) {
        const auto some = std::span(data).first(bytes);
        EXPECT_THAT([&] { r.transfer_put(level, box, stride, 0, some); },
                    testing::ThrowsMessage<engine::InputError>(testing::HasSubstr(reason)));
        EXPECT_THAT([&] { r.transfer_get(level, box, stride, 0, some); },
                    testing::ThrowsMessage<engine::InputError>(testing::HasSubstr(reason)));
    };
    const Box all{.x = 0, .y = 0, .z = 0, .width = 8, .height = 8, .depth = 1};
    refused(1, all, 0, 256, "a transfer names level 1 of 1");
    refused(0, all, 0, 255, "needs 256 bytes of data, there are 255");
    refused(0, all, 40, 256, "needs 312 bytes of data, there are 256");
    refused(0, {.x = 1, .y = 0, .z = 0, .width = 8, .height = 8, .depth = 1}, 0, 256, "leaves level 0");
    refused(0, {.x = 0, .y = 0, .z = 1, .width = 8, .height = 8, .depth = 1}, 0, 256, "leaves level 0");
    refused(0, {.x = 0, .y = 0, .z = 0, .width = 8, .height = 8, .depth = 2}, 0, 256, "leaves level 0");
    refused(0, {.x = 0xffffffff, .y = 0, .z = 0, .width = 2, .height = 1, .depth = 1}, 0, 256, "leaves level 0");
    refused(0, {.x = 0, .y = 0, .z = 0, .width = 1, .height = 0xffffffff, .depth = 1}, 0xffffffff, 256,
            "leaves level 0");
}

TEST(Resource, UnsupportedOnesAreRefusedByName) {
    ResourceDescription d = texture(64, 64);
    d.samples = 5;
    expect_refusal(d, "multisampling with 5 samples is not supported, only with up to 4");
    expect_refusal(texture(0, 4), "size of 0");
    expect_refusal(texture(20000, 4), "16384");
    d = texture(16, 16);
    d.last_level = 5;
    expect_refusal(d, "level 5");
    d = texture(16, 8);
    d.target = ResourceTarget::cube;
    d.array_size = 6;
    expect_refusal(d, "cubes");
    expect_refusal(texture(16, 16, static_cast<Format>(255)), "BPTC_RGBA_UNORM");
    d = texture(16384, 16384);
    d.target = ResourceTarget::t2d_array;
    d.array_size = 2048;
    expect_refusal(d, "2 GiB");
}

TEST(Resource, SurfacesKnowTheirAddresses) {
    AddressSpace space;
    ResourceDescription d = texture(16, 16);
    d.last_level = 1;
    Resource r(d, space);
    const SurfaceView view = r.surface(1, 0, Format::b8g8r8a8_unorm);
    EXPECT_EQ(view.width, 8U);
    EXPECT_EQ(view.format->format, Format::b8g8r8a8_unorm);
    EXPECT_EQ(view.texel_address(0, 0), r.level(1).address);
    EXPECT_EQ(view.texel_address(4, 0), r.level(1).address + 64);
    EXPECT_EQ(view.texel(1, 1), r.bytes().data() + r.level(1).offset + 36);
    EXPECT_THROW(r.surface(2, 0), engine::InputError);
    EXPECT_THROW(r.surface(0, 1), engine::InputError);
    EXPECT_THROW(r.surface(0, 0, Format::r8_unorm), engine::InputError);
}

TEST(Resource, ReleasesItsAddresses) {
    AddressSpace space;
    {
        const Resource r(texture(16, 16), space);
        EXPECT_EQ(r.address(), 4096U);
        EXPECT_EQ(space.allocated_bytes(), 4096U);
    }
    EXPECT_EQ(space.allocated_bytes(), 0U);
}

}  // namespace
}  // namespace models::functional
