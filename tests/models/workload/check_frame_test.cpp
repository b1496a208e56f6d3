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

std::string refusal(const std::function<void(Frame&)>& change) {
    synthetic::Generator generator({});
    Frame frame = generator.frame();
    change(frame);
    const MachineParameters machine;
    try {
        Workload({1 << 30, Rendering::tiled, machine.tiling}).load(generator.trace(), frame);
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
    EXPECT_THAT(refusal([](Frame& frame) {
                    frame.tiles.push_back({0xfffffff0, 32});
                }),
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
                testing::HasSubstr("texels of 16 bytes, found"));
    EXPECT_THAT(colour([](Surface& surface) { surface.width = 0xffffffff; }),
                testing::HasSubstr("render targets of at most 16384 x 16384"));
    EXPECT_THAT(colour([](Surface& surface) { surface.address = largest; }),
                testing::HasSubstr("expected addresses below"));
    EXPECT_THAT(colour([](Surface& surface) { surface.address = 0xffffffffc0; }),
                testing::HasSubstr("expected addresses below"));
}

}  // namespace
}  // namespace models
