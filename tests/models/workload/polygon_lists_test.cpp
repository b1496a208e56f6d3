#include "models/workload/polygon_lists.h"

#include <map>
#include <set>

#include <gtest/gtest.h>

#include "models/machine_parameters.h"
#include "tests/models/synthetic_frame.h"

namespace models {
namespace {

constexpr Address buffer = 1 << 24;

struct Example {
    explicit Example(std::uint32_t primitives = 40) {
        synthetic::Options options;
        options.primitives = primitives;
        options.clear = false;
        frame = synthetic::Generator(options).frame();
    }
    PolygonLists lists() const { return PolygonLists(frame, frame.passes[0], parameters.tiling, buffer); }
    MachineParameters parameters;
    Frame frame;
};

TEST(PolygonLists, ListEveryPrimitiveInTheTilesOfItsBoxInOrder) {
    const Example example;
    const PolygonLists lists = example.lists();
    const Pass& pass = example.frame.passes[0];
    for (std::uint32_t tile = 0; tile < lists.tiles(); ++tile) {
        std::vector<std::uint32_t> expected;
        for (std::uint32_t i = 0; i < lists.primitives.size(); ++i) {
            const Primitive& p = example.frame.primitives[lists.primitives[i]];
            const std::uint32_t x = tile % pass.tiles_x, y = tile / pass.tiles_x;
            if (p.tile_x0 <= x && x <= p.tile_x1 && p.tile_y0 <= y && y <= p.tile_y1) expected.push_back(i);
        }
        EXPECT_EQ(expected, std::vector<std::uint32_t>(lists.entries.begin() + lists.first_entry[tile],
                                                       lists.entries.begin() + lists.first_entry[tile + 1]));
    }
}

TEST(PolygonLists, SayWhichQuadsOfATileAreAnEntrys) {
    Example example;
    for (Primitive& primitive : example.frame.primitives) primitive.tile_x0 = 0;  // a box with nothing at its left
    const PolygonLists lists = example.lists();
    std::uint32_t with_quads = 0, without = 0;
    for (std::uint32_t tile = 0; tile < lists.tiles(); ++tile) {
        const Tile& quads = example.frame.tiles[example.frame.passes[0].first_tile + tile];
        std::uint32_t next = quads.first_quad;
        for (std::uint32_t e = lists.first_entry[tile]; e < lists.first_entry[tile + 1]; ++e) {
            ++(lists.quads_end[e] == next ? without : with_quads);
            for (; next < lists.quads_end[e]; ++next)
                EXPECT_EQ(example.frame.quads[next].primitive, lists.primitives[lists.entries[e]]);
        }
        EXPECT_EQ(next, quads.first_quad + quads.quad_count);
    }
    EXPECT_GT(with_quads, 0U);
    EXPECT_GT(without, 0U);
}

TEST(PolygonLists, KeepPrimitivesAndChunksApartInsideTheBuffer) {
    const Example example;
    const PolygonLists lists = example.lists();
    EXPECT_EQ(lists.records.front(), buffer);
    for (std::size_t i = 0; i < lists.primitives.size(); ++i) {
        const Draw& draw = example.frame.draws[example.frame.primitives[lists.primitives[i]].draw];
        EXPECT_EQ(lists.records[i + 1] - lists.records[i], 4 + 48 * draw.varying_count);
    }
    const std::set<BlockNumber> chunks(lists.chunks.begin(), lists.chunks.end());
    EXPECT_EQ(chunks.size(), lists.chunks.size());
    EXPECT_GE(Address{*chunks.begin()} * block_bytes, lists.records.back());
    EXPECT_EQ((Address{*chunks.rbegin()} + 1) * block_bytes, buffer + lists.bytes);
}

TEST(PolygonLists, ListWhereBinningIsExactAPrimitiveInTheTilesThatItHasAQuadIn) {
    Example example;
    Frame& frame = example.frame;
    const Pass& pass = frame.passes[0];
    frame.primitives[7].tile_x0 = frame.primitives[7].tile_y0 = 0;  // its box grows, its quads do not
    frame.primitives[7].tile_x1 = static_cast<std::uint16_t>(pass.tiles_x - 1);
    frame.primitives[7].tile_y1 = static_cast<std::uint16_t>(pass.tiles_y - 1);
    example.parameters.tiling.binning.set("exact");
    const PolygonLists lists = example.lists();
    for (std::uint32_t tile = 0; tile < lists.tiles(); ++tile) {
        const Tile& quads = frame.tiles[pass.first_tile + tile];
        std::set<std::uint32_t> expected, found;
        for (std::uint32_t q = 0; q < quads.quad_count; ++q)
            expected.insert(frame.quads[quads.first_quad + q].primitive);
        for (std::uint32_t e = lists.first_entry[tile]; e < lists.first_entry[tile + 1]; ++e)
            found.insert(lists.primitives[lists.entries[e]]);
        EXPECT_EQ(found, expected) << tile;
        EXPECT_EQ(found.size(), lists.first_entry[tile + 1] - lists.first_entry[tile]) << tile;
        EXPECT_TRUE(std::is_sorted(lists.entries.begin() + lists.first_entry[tile],
                                   lists.entries.begin() + lists.first_entry[tile + 1]));
    }
    example.parameters.tiling.binning.set("bounding_box");
    EXPECT_LT(lists.entries.size(), example.lists().entries.size());
}

TEST(PolygonLists, LeaveAPrimitiveWithoutQuadsOutOfExactListsButNotOutOfTheBuffer) {
    Example example(1);
    example.frame.quads.clear();
    for (Tile& tile : example.frame.tiles) tile = {};
    example.parameters.tiling.binning.set("exact");
    const PolygonLists lists = example.lists();
    EXPECT_TRUE(lists.entries.empty());
    EXPECT_TRUE(lists.order.empty());
    EXPECT_EQ(lists.primitives.size(), 3U);  // of three draws
    EXPECT_GT(lists.records.back(), buffer);
}

TEST(PolygonLists, HaveAChunkForEverySixteenEntries) {
    const Example example;
    const PolygonLists lists = example.lists();
    for (std::uint32_t tile = 0; tile < lists.tiles(); ++tile) {
        const std::uint32_t entries = lists.first_entry[tile + 1] - lists.first_entry[tile];
        EXPECT_EQ(lists.first_chunk[tile + 1] - lists.first_chunk[tile], (entries + 15) / 16);
    }
}

TEST(PolygonLists, RenderTilesRowByRowOrAlongAZCurve) {
    Example example;
    example.frame.draws[0].kind = DrawKind::geometry;
    const PolygonLists rows = example.lists();
    EXPECT_TRUE(std::is_sorted(rows.order.begin(), rows.order.end()));
    example.parameters.tiling.tile_order.set("morton");
    const PolygonLists curve = example.lists();
    EXPECT_EQ(std::set<std::uint32_t>(rows.order.begin(), rows.order.end()),
              std::set<std::uint32_t>(curve.order.begin(), curve.order.end()));
    ASSERT_EQ(curve.order.size(), 12U);  // 4 x 3 tiles
    EXPECT_EQ(curve.order, (std::vector<std::uint32_t>{0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 10, 11}));
}

TEST(PolygonLists, RefuseAFrameThatIsLargerThanTheBuffer) {
    Example example(200);
    example.parameters.tiling.parameter_buffer.set("64 KiB");
    EXPECT_THROW(example.lists(), engine::InputError);
}

// A million primitives in all tiles of a pass of 512 x 512: 10^11 entries, were they made before they are counted.
TEST(PolygonLists, ListsThatNeedMoreThanTheParameterBufferAreNotMade) {
    Example example(1);
    Pass& pass = example.frame.passes[0];
    pass.tiles_x = pass.tiles_y = 512;
    Primitive primitive = example.frame.primitives[0];
    primitive.tile_x0 = primitive.tile_y0 = 0;
    primitive.tile_x1 = primitive.tile_y1 = 511;
    example.frame.primitives.assign(1'000'000, primitive);
    pass.draw_count = 1;
    pass.first_draw = primitive.draw;
    example.frame.draws[primitive.draw].first_primitive = 0;
    example.frame.draws[primitive.draw].primitive_count = 1'000'000;
    EXPECT_THROW(example.lists(), engine::InputError);
}

}  // namespace
}  // namespace models
