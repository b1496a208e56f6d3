#include "models/functional/transfer.h"

#include <array>
#include <set>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/workload/surface_blocks.h"
#include "tests/models/functional/pipeline/scene.h"

namespace models::functional {
namespace {

TEST(Transfer, AChainOfBlitsMakesMipmaps) {
    Scene scene(4, 4);
    WordList level0;
    for (std::uint32_t i = 0; i < 16; ++i) level0.push_back(0xff000000 | (i % 2 == 0 ? 0xff : 0x01));
    const std::uint32_t texture = scene.texture(4, {level0, WordList(4, 0), WordList(1, 0)});
    scene.blit(texture, 1, 2, texture, 0, 4);
    scene.blit(texture, 2, 1, texture, 1, 2);
    scene.bind_texture(texture, 2);
    scene.fragment_shader(textured);
    // The texture 16 times over the window: level 2.
    SceneVertices list = whole_window(0);
    for (SceneVertex& v : list) v.value = {v.value[0] * 4, v.value[1] * 4, 0, 1};
    scene.commands.create(ObjectType::sampler_state, {90, 2U | 2U << 3, 0, 0, word(1000), 0, 0, 0, 0})
        .add(VirglCommand::bind_sampler_states, {1, 0, 90});
    scene.draw(list);
    scene.end_frame();
    const RenderedFrame f = first_frame(scene);
    EXPECT_EQ(f.pixel(1, 1), 0x800000ffU);
    ASSERT_EQ(f.frame.passes.size(), 3U);
    EXPECT_EQ(f.frame.draws[f.frame.passes[0].first_draw].kind, DrawKind::transfer);
    EXPECT_FALSE(f.frame.passes[0].colour_load);  // the blit covers its level
    EXPECT_EQ(f.frame.passes[1].width, 1U);
}

// As Mesa sends blits beyond the edges of framebuffers: whole boxes, and where both are there as the scissor.
TEST(Transfer, ABlitLeavesOutWhatLiesOutsideItsSurfaces) {
    WordList texels;
    for (std::uint32_t i = 0; i < 16; ++i) texels.push_back(0xff000000 | (i % 4 + 1) | (i / 4 + 1) << 8);
    struct Case {
        WordList target, source;  // x, y, width, height
        std::array<std::int32_t, 4> scissor;
        std::array<std::int32_t, 4> texel;  // of a pixel: x = texel[0] + texel[1] * pixel, and so y
    };
    const auto minus = [](std::uint32_t number) { return 0 - number; };
    for (const Case& c : {Case{{3, minus(1), 6, 6}, {minus(2), 1, 6, 6}, {5, 0, 8, 2}, {-5, 1, 2, 1}},
                          Case{{6, 0, minus(6), 4}, {minus(1), 0, 6, 4}, {1, 0, 5, 4}, {4, -1, 0, 1}}}) {
        Scene scene(8, 8);
        scene.clear(Scene::clear_all);
        const std::uint32_t texture = scene.texture(4, {texels});
        const auto corner = [&](std::size_t i) {
            return static_cast<std::uint32_t>(c.scissor[i] | c.scissor[i + 1] << 16);
        };
        scene.commands.add(VirglCommand::blit,
                           {0xf | 1U << 10, corner(0),   corner(2), Scene::window, 0, 1,  c.target[0], c.target[1], 0,
                            c.target[2],    c.target[3], 1,         texture,       0, 67, c.source[0], c.source[1], 0,
                            c.source[2],    c.source[3], 1});
        scene.end_frame();
        const RenderedFrame f = first_frame(scene);
        for (std::int32_t y = 0; y < 8; ++y)
            for (std::int32_t x = 0; x < 8; ++x) {
                const bool drawn = x >= c.scissor[0] && y >= c.scissor[1] && x < c.scissor[2] && y < c.scissor[3];
                const auto column = static_cast<std::uint32_t>(c.texel[0] + c.texel[1] * x + 1);
                const auto row = static_cast<std::uint32_t>(c.texel[2] + c.texel[3] * y + 1);
                EXPECT_EQ(f.pixel(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y)),
                          drawn ? column << 24 | row << 16 | 0xff : 0U)
                    << x << "," << y;
            }
    }
}

// Every pixel of a picture of half the size lies between texels: the later one is its nearest in all of them.
TEST(Transfer, ABlitToHalfTheSizeTakesEverySecondTexel) {
    constexpr std::uint32_t half = 50, size = 2 * half;  // with a reciprocal that is rounded
    WordList texels;
    for (std::uint32_t i = 0; i < size * size; ++i) texels.push_back(0xff000000 | i / size << 8 | i % size);
    Scene scene(half, half);
    const std::uint32_t texture = scene.texture(size, {texels});
    scene.commands.add(VirglCommand::blit, {0xf, 0, 0, Scene::window, 0,    1, 0, 0, 0, half, half, 1, texture, 0, 67,
                                            0,   0, 0, size,          size, 1});
    scene.end_frame();
    const RenderedFrame f = first_frame(scene);
    for (std::uint32_t y = 0; y < half; ++y)
        for (std::uint32_t x = 0; x < half; ++x)
            EXPECT_EQ(f.pixel(x, y), (2 * x + 1) << 24 | (2 * y + 1) << 16 | 0xff) << x << "," << y;
}

// The reds of the slices that level 1 of a 3D texture gets from those of level 0.
std::vector<std::uint32_t> next_slices(const std::vector<std::uint32_t>& reds) {
    constexpr std::uint32_t texture = 90, linear = 1U << 8;
    const auto slices = static_cast<std::uint32_t>(reds.size());
    WordList put{texture, 0, 0, 0, 0, 0, 0, 2, 2, slices, slices * 16};
    for (const std::uint32_t red : reds) put.insert(put.end(), 4, 0xff000000 | red);
    Scene scene(4, 4);
    scene.stream.message(VtestCommand::resource_create, {texture, 3, 67, 10, 2, 2, slices, 1, 1, 0})
        .message(VtestCommand::transfer_put, put);
    scene.commands.add(VirglCommand::blit, {0xf | linear, 0,       0, texture, 1, 67, 0, 0, 0, 1,     1,
                                            slices / 2,   texture, 0, 67,      0, 0,  0, 2, 2, slices});
    for (std::uint32_t slice = 0; slice < slices / 2; ++slice)
        scene.commands.add(VirglCommand::blit, {0xf, 0, 0, Scene::window, 0, 1, slice, 0, 0, 1, 1, 1, texture, 1,
                                                67,  0, 0, slice,         1, 1, 1});
    scene.end_frame();
    const RenderedFrame f = first_frame(scene);
    std::vector<std::uint32_t> found;
    for (std::uint32_t slice = 0; slice < slices / 2; ++slice) found.push_back(f.pixel(slice, 0) >> 24);
    return found;
}

TEST(Transfer, SlicesOf3DTexturesAreMixedForTheNextLevel) {
    EXPECT_THAT(next_slices({0, 40}), testing::ElementsAre(20));
    EXPECT_THAT(next_slices({0, 40, 80, 120}), testing::ElementsAre(20, 100));
    EXPECT_THAT(next_slices({0, 40, 80, 120, 160}), testing::ElementsAre(55, 155)) << "as the reference places them";
}

TEST(Transfer, ACopyMovesTexelsUnchanged) {
    Scene scene(4, 4);
    WordList texels;
    for (std::uint32_t i = 0; i < 4; ++i) texels.push_back(0xff000000 | i << 8 | (40 + i));
    const std::uint32_t source = scene.texture(2, {texels});
    const std::uint32_t target = scene.texture(4, {WordList(16, 0xff0000ff)});
    scene.copy(target, 1, 2, source, 2);
    scene.bind_texture(target);
    scene.fragment_shader(textured);
    scene.draw(whole_window(0));
    scene.end_frame();
    const RenderedFrame f = first_frame(scene);
    EXPECT_EQ(f.pixel(0, 2), 0xff0000ffU);
    EXPECT_EQ(f.pixel(1, 2), 0x280000ffU);
    EXPECT_EQ(f.pixel(2, 3), 0x2b0300ffU);
    EXPECT_TRUE(f.frame.passes[0].colour_load);  // the copy leaves the rest
}

std::set<BlockNumber> blocks_of(const Surface& surface) {
    std::vector<BlockNumber> blocks;
    SurfaceBlocks(surface).append(0, 0, blocks);
    return {blocks.begin(), blocks.end()};
}

// 5x5 compressed blocks: what the copy stores is what drawing with the texture reads, and what an upload of it writes.
TEST(Transfer, ACopyOfCompressedBlocksStoresThemWhereTheTextureIsReadAndUploaded) {
    struct Case {
        std::uint32_t format, block_width, block_height, words;  // of a block
    };
    for (const Case& c : {Case{106, 4, 4, 2}, Case{108, 4, 4, 4}, Case{284, 8, 5, 4}}) {  // DXT1, DXT5, ASTC 8x5
        const std::uint32_t width = 5 * c.block_width, height = 5 * c.block_height;
        Scene scene(width, height);
        const std::uint32_t source = scene.handle(), target = scene.handle();
        const WordList blocks(std::size_t{25} * c.words, 0);
        for (const std::uint32_t texture : {source, target})
            scene.stream.resource(texture, 2, c.format, 10, width, height).put(texture, 0, width, height, blocks);
        scene.commands
            .add(VirglCommand::resource_copy_region, {target, 0, 0, 0, 0, source, 0, 0, 0, 0, width, height, 1})
            .create(ObjectType::sampler_view, {90, target, c.format, 0, 0, 0U | 1U << 3 | 2U << 6 | 3U << 9})
            .create(ObjectType::sampler_state, {91, 2U | 2U << 3 | 2U << 6 | 2U << 11, 0, 0, word(1000), 0, 0, 0, 0})
            .add(VirglCommand::set_sampler_views, {1, 0, 90})
            .add(VirglCommand::bind_sampler_states, {1, 0, 91});
        scene.fragment_shader(textured);
        scene.draw(whole_window(0));
        scene.end_frame();
        FunctionalRenderer renderer(scene.stream.bytes(), {.threads = 1});
        Frame frame;
        ASSERT_TRUE(renderer.next_frame(&frame, nullptr, nullptr));
        ASSERT_EQ(frame.passes.size(), 2U);
        const Surface& copied = frame.passes[0].colour.at(0);
        EXPECT_EQ(copied.width, 5U);
        EXPECT_EQ(copied.height, 5U);
        EXPECT_FALSE(frame.passes[1].colour.at(0).compressed);
        const std::set<BlockNumber> stored = blocks_of(copied);
        std::set<BlockNumber> read, uploaded;
        for (const Quad& quad : frame.quads)
            if (frame.primitives[quad.primitive].draw == frame.passes[1].first_draw) {
                const TextureAccess& access = frame.accesses.at(quad.first_access);
                const auto first = frame.blocks.begin() + access.first_block;
                read.insert(first, first + access.block_count);
            }
        const Resource::Level& level = renderer.context().resources().at(target)->level(0);
        for (const Upload& upload : frame.uploads)
            if (upload.address >= level.address && upload.address < level.address + level.layout.bytes)
                for (Address at = upload.address; at < upload.address + upload.bytes; ++at)
                    uploaded.insert(static_cast<BlockNumber>(at / block_bytes));
        EXPECT_EQ(stored, read) << c.format;
        EXPECT_EQ(stored, uploaded) << c.format;
    }
}

}  // namespace
}  // namespace models::functional
