// Frames that would make the machine address memory it has not are refused, wherever the sum of what they say ends.
#include <algorithm>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "models/machine_parameters.h"
#include "models/workload/workload.h"
#include "tests/models/synthetic_frame.h"

namespace models {
namespace {

constexpr Address largest = 0xffffffffffffffff;

std::string refusal(const std::function<void(Frame&)>& change, Rendering rendering = Rendering::tiled) {
    synthetic::Generator generator({});
    Frame frame = generator.frame();
    change(frame);
    const MachineParameters machine;
    try {
        Workload({1 << 30, rendering, machine.tiling}).load(generator.trace(), frame);
    } catch (const engine::InputError& error) {
        return error.what();
    }
    return "none";
}

Draw& first_geometry(Frame& frame) {
    return *std::find_if(frame.draws.begin(), frame.draws.end(),
                         [](const Draw& draw) { return draw.kind == DrawKind::geometry && draw.vertex_count > 0; });
}

TEST(CheckFrame, AddressesBeyondMemoryAreRefusedAlsoWhereTheirSumOverflows) {
    EXPECT_EQ(refusal([](Frame&) {}), "none");
    EXPECT_THAT(refusal([](Frame& frame) {
                    first_geometry(frame).index_bytes = 4;
                    first_geometry(frame).index_address = largest;
                }),
                testing::HasSubstr("expected addresses below"));
    EXPECT_THAT(refusal([](Frame& frame) {
                    const Draw& draw = first_geometry(frame);
                    ASSERT_GT(draw.attribute_count, 0U);
                    frame.attributes[draw.first_attribute].address = largest;
                }),
                testing::HasSubstr("expected addresses below"));
    EXPECT_THAT(refusal([](Frame& frame) {
                    const Draw& draw = first_geometry(frame);
                    VertexAttribute& attribute = frame.attributes[draw.first_attribute];
                    attribute = {largest - 0xffffffff + 1, 0xffffffff, 4, 0};
                    frame.vertices[draw.first_vertex].id = 1;
                }),
                testing::HasSubstr("expected addresses below"));
}

TEST(CheckFrame, ComputeKernelsAreNotLeftOut) {
    EXPECT_THAT(refusal([](Frame& frame) { frame.kernels.emplace_back(); }),
                testing::HasSubstr("expected no compute kernels, which the machine does not play yet, found 1"));
}

TEST(CheckFrame, WhatQuadsAreOfIsDrawnInTheirPass) {
    EXPECT_THAT(refusal([](Frame& frame) { --first_geometry(frame).primitive_count; }),
                testing::HasSubstr("expected a quad to name a primitive of its draw"));
    EXPECT_THAT(refusal([](Frame& frame) { --frame.passes[0].draw_count; }),
                testing::HasSubstr("expected a quad to name a draw of its pass"));
}

TEST(CheckFrame, QuadsAreThoseOfTilesInOrderAndSoundAlsoWhereNoPassHasThem) {
    EXPECT_THAT(refusal([](Frame& frame) { std::swap(frame.tiles[0], frame.tiles[1]); }),
                testing::HasSubstr("expected the quads of tiles one after the other"));
    EXPECT_THAT(refusal([](Frame& frame) { frame.tiles[1] = frame.tiles[0]; }),
                testing::HasSubstr("expected the quads of tiles one after the other"));
    EXPECT_THAT(refusal([](Frame& frame) { frame.tiles.push_back({0xfffffff0, 32}); }),
                testing::HasSubstr("expected a tile to name quads of the frame"));
    EXPECT_THAT(refusal([](Frame& frame) { frame.quads.emplace_back().primitive = 1U << 20; }),
                testing::HasSubstr("expected a quad to name a primitive of the frame"));
    EXPECT_THAT(refusal([](Frame& frame) { frame.quads.emplace_back().x = 16; }),
                testing::HasSubstr("expected quads inside their tile"));
}

TEST(CheckFrame, RenderTargetsAreOfAPossibleSizeAndInMemory) {
    const auto colour = [](const std::function<void(Surface&)>& change) {
        return refusal([&](Frame& frame) {
            frame.passes[0].colour_store = true;
            change(frame.passes[0].colour.at(0));
        });
    };
    EXPECT_THAT(colour([](Surface& surface) { surface.bytes_per_texel = 1U << 31; }),
                testing::HasSubstr("texels of 64 bytes, found"));
    EXPECT_THAT(colour([](Surface& surface) { surface.width = 0xffffffff; }),
                testing::HasSubstr("render targets of at most 16384 x 16384"));
    EXPECT_THAT(colour([](Surface& surface) { surface.address = largest; }),
                testing::HasSubstr("expected addresses below"));
    EXPECT_THAT(colour([](Surface& surface) { surface.address = 0xffffffffc0; }),
                testing::HasSubstr("expected addresses below"));
}

TEST(CheckFrame, WhatApproximationsAskOfQuadsIsNotLeftOut) {
    EXPECT_THAT(refusal([](Frame& frame) { frame.quads[0].reconstructed = 1; }),
                testing::HasSubstr("reconstructed lanes, which the machine does not play yet"));
    EXPECT_THAT(refusal([](Frame& frame) { frame.quads[0].cluster = 3; }),
                testing::HasSubstr("found one for cluster 3, which the machine does not play yet"));
}

TEST(CheckFrame, LanesOfQuadsAreThoseThatTheyCover) {
    for (std::uint8_t Quad::* lanes : {&Quad::early_pass, &Quad::visible, &Quad::early_test, &Quad::shaded})
        EXPECT_THAT(refusal([&](Frame& frame) {
                        frame.quads[0].coverage = 7;
                        frame.quads[0].early_pass = frame.quads[0].visible = 0;
                        frame.quads[0].early_test = frame.quads[0].shaded = 0;
                        frame.quads[0].*lanes = 8;
                    }),
                    testing::HasSubstr("expected lanes of quads among those that they cover"));
}

TEST(CheckFrame, QuadsLieInsideTheBoxesOfTheirPrimitivesAndTheirTargets) {
    EXPECT_THAT(refusal([](Frame& frame) {
                    const Quad& quad = frame.quads[frame.tiles[0].first_quad];
                    frame.primitives[quad.primitive].tile_x0 = frame.primitives[quad.primitive].tile_x1 = 3;
                }),
                testing::HasSubstr("expected quads inside the bounding boxes of their primitives"));
    const auto shrink = [](Frame& frame) { frame.passes[0].colour[0].width = 64; };
    EXPECT_EQ(refusal(shrink), "none");  // tiles store what is inside
    EXPECT_THAT(refusal(shrink, Rendering::immediate),
                testing::HasSubstr("expected quads inside the render targets of their pass"));
    EXPECT_THAT(refusal([](Frame& frame) { frame.passes[0].depth.height = 32; }, Rendering::immediate),
                testing::HasSubstr("expected quads inside the render targets of their pass"));
    EXPECT_EQ(refusal([](Frame& frame) { frame.passes[0].depth = {}; }, Rendering::immediate), "none");
}

TEST(CheckFrame, UploadsStayInsideMemoryOrTheRingOfConstants) {
    const auto upload = [](Address address, std::uint64_t bytes) {
        return refusal([&](Frame& frame) {
            frame.uploads.emplace_back().address = address;
            frame.uploads.back().bytes = bytes;
        });
    };
    EXPECT_EQ(upload(0x1000, 64), "none");
    EXPECT_EQ(upload(constant_ring + constant_ring_bytes - 64, 64), "none");
    EXPECT_THAT(upload(1 << 30, 64), testing::HasSubstr("expected addresses below"));
    EXPECT_THAT(upload(0x1000, largest), testing::HasSubstr("expected addresses below"));
    EXPECT_THAT(upload(constant_ring + constant_ring_bytes - 64, 65),
                testing::HasSubstr("expected uploads of constants inside of their ring"));
    EXPECT_THAT(upload(constant_ring, largest), testing::HasSubstr("inside of their ring"));
}

TEST(CheckFrame, ConstantsStayInsideMemoryOrTheirRing) {
    const auto constants = [](Address address, std::uint32_t bytes) {
        return refusal([=](Frame& frame) {
            first_geometry(frame).first_constant = static_cast<std::uint32_t>(frame.constants.size());
            first_geometry(frame).constant_count = 1;
            frame.constants.push_back({ShaderStage::vertex, 0, address, bytes});
        });
    };
    EXPECT_EQ(constants(4096, 16), "none");
    EXPECT_EQ(constants(constant_ring + constant_ring_bytes - 16, 16), "none");
    EXPECT_THAT(constants(constant_ring - 8, 16), testing::HasSubstr("expected addresses below"));
    EXPECT_THAT(constants(constant_ring + constant_ring_bytes - 15, 16),
                testing::HasSubstr("expected constants to lie in the ring"));
    EXPECT_THAT(constants(largest, 16), testing::HasSubstr("expected constants to lie in the ring"));
    EXPECT_THAT(refusal([](Frame& frame) { first_geometry(frame).constant_count = 0x7fffffff; }),
                testing::HasSubstr("expected a draw to name constants of the frame"));
}

TEST(CheckFrame, PassesHaveAHashForEveryTileAndTargetAndNoMoreTargetsThanAMaskHas) {
    EXPECT_THAT(refusal([](Frame& frame) { frame.colour_hashes.pop_back(); }),
                testing::HasSubstr("expected a pass to name hashes of tiles"));
    EXPECT_THAT(refusal([](Frame& frame) { frame.passes[0].colour.resize(9); }),
                testing::HasSubstr("expected passes of at most 8 colour targets, found 9"));
}

TEST(CheckFrame, TargetsThatAreNeverStoredAreInMemoryWhereItIsBlendedThere) {
    const auto change = [](Frame& frame) {
        frame.passes[0].depth.address = largest - 0xfff;
        frame.passes[0].depth_load = frame.passes[0].depth_store = false;
    };
    EXPECT_EQ(refusal(change), "none");
    EXPECT_THAT(refusal(change, Rendering::immediate), testing::HasSubstr("expected addresses below"));
}

TEST(CheckFrame, DrawsAndTheirPrimitivesFollowOneAnother) {
    EXPECT_THAT(refusal([](Frame& frame) {
                    frame.passes.push_back(frame.passes[0]);
                    frame.passes[1].first_tile = static_cast<std::uint32_t>(frame.tiles.size());
                    frame.passes[1].tiles_x = 0;
                }),
                testing::HasSubstr("expected the draws of passes one after the other"));
    EXPECT_THAT(refusal([](Frame& frame) {
                    const auto second = std::find_if(frame.draws.rbegin(), frame.draws.rend(),
                                                     [](const Draw& draw) { return draw.primitive_count > 0; });
                    second->first_primitive = 0;
                    second->primitive_count = static_cast<std::uint32_t>(frame.primitives.size());
                }),
                testing::HasSubstr("expected the primitives of draws one after the other"));
}

}  // namespace
}  // namespace models
