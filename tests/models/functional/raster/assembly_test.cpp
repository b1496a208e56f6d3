#include "models/functional/raster/assembly.h"

#include <map>

#include <gtest/gtest.h>

namespace models::functional {

namespace {

using Primitives = std::vector<AssembledPrimitive>;

Primitives assembled(PrimitiveMode mode, Provoking provoking, std::uint32_t count, std::uint32_t first = 0) {
    Primitives primitives;
    assemble(mode, provoking, first, count, primitives);
    return primitives;
}

std::uint32_t provoking_vertex(const AssembledPrimitive& primitive, Provoking provoking) {
    return primitive.vertex[provoking == Provoking::first ? 0 : 2];
}

// Doubled area of a triangle whose vertices have these places.
int doubled_area(const AssembledPrimitive& t, const std::vector<std::pair<int, int>>& places) {
    const auto [x0, y0] = places[t.vertex[0]];
    const auto [x1, y1] = places[t.vertex[1]];
    const auto [x2, y2] = places[t.vertex[2]];
    return (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0);
}

constexpr Provoking both_conventions[] = {Provoking::first, Provoking::last};

}  // namespace

TEST(Assembly, PointsAreEveryVertexOnce) {
    EXPECT_EQ(assembled(PrimitiveMode::points, Provoking::last, 2, 5), (Primitives{{{5, 5, 5}}, {{6, 6, 6}}}));
}

TEST(Assembly, LinesArePairsAndDropAnOddVertex) {
    EXPECT_EQ(assembled(PrimitiveMode::lines, Provoking::last, 5), (Primitives{{{0, 1, 1}}, {{2, 3, 3}}}));
}

TEST(Assembly, ALineStripJoinsNeighbours) {
    EXPECT_EQ(assembled(PrimitiveMode::line_strip, Provoking::last, 3), (Primitives{{{0, 1, 1}}, {{1, 2, 2}}}));
}

TEST(Assembly, ALineLoopClosesFromTheLastVertexToTheFirst) {
    EXPECT_EQ(assembled(PrimitiveMode::line_loop, Provoking::last, 3, 1),
              (Primitives{{{1, 2, 2}}, {{2, 3, 3}}, {{3, 1, 1}}}));
    EXPECT_TRUE(assembled(PrimitiveMode::line_loop, Provoking::last, 1).empty());
}

TEST(Assembly, TrianglesAreTriplesAndDropTheRest) {
    EXPECT_EQ(assembled(PrimitiveMode::triangles, Provoking::last, 8), (Primitives{{{0, 1, 2}}, {{3, 4, 5}}}));
}

TEST(Assembly, EveryModeKnowsItsKind) {
    EXPECT_EQ(kind_of(PrimitiveMode::points), PrimitiveKind::point);
    for (const auto mode : {PrimitiveMode::lines, PrimitiveMode::line_loop, PrimitiveMode::line_strip})
        EXPECT_EQ(kind_of(mode), PrimitiveKind::line);
    for (const auto mode : {PrimitiveMode::triangles, PrimitiveMode::triangle_strip, PrimitiveMode::triangle_fan,
                            PrimitiveMode::quads, PrimitiveMode::quad_strip, PrimitiveMode::polygon}) {
        EXPECT_EQ(kind_of(mode), PrimitiveKind::triangle);
    }
}

TEST(Assembly, AStripKeepsItsWindingAndItsProvokingVertices) {
    const std::vector<std::pair<int, int>> zigzag = {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 1}};
    for (const Provoking provoking : both_conventions) {
        const Primitives strip = assembled(PrimitiveMode::triangle_strip, provoking, 6);
        ASSERT_EQ(strip.size(), 4U);
        for (std::uint32_t i = 0; i < 4; ++i) {
            EXPECT_EQ(doubled_area(strip[i], zigzag), -1);
            EXPECT_EQ(provoking_vertex(strip[i], provoking), provoking == Provoking::first ? i : i + 2);
        }
    }
}

TEST(Assembly, AFanKeepsItsWindingAndProvokesWithAVertexOfItsRim) {
    const std::vector<std::pair<int, int>> rim = {{0, 0}, {2, 0}, {1, 1}, {0, 2}, {-1, 1}};
    for (const Provoking provoking : both_conventions) {
        const Primitives fan = assembled(PrimitiveMode::triangle_fan, provoking, 5);
        ASSERT_EQ(fan.size(), 3U);
        for (std::uint32_t i = 0; i < 3; ++i) {
            EXPECT_GT(doubled_area(fan[i], rim), 0);
            EXPECT_EQ(provoking_vertex(fan[i], provoking), provoking == Provoking::first ? i + 1 : i + 2);
        }
    }
}

TEST(Assembly, QuadsSplitFromTheSecondToTheFourthVertexWhichProvokes) {
    EXPECT_EQ(assembled(PrimitiveMode::quads, Provoking::last, 7), (Primitives{{{0, 1, 3}}, {{1, 2, 3}}}));
    EXPECT_EQ(assembled(PrimitiveMode::quads, Provoking::first, 4), (Primitives{{{3, 0, 1}}, {{3, 1, 2}}}));
}

TEST(Assembly, AQuadStripCoversEveryQuadOnceInOneWinding) {
    const std::vector<std::pair<int, int>> ladder = {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 1}};
    for (const Provoking provoking : both_conventions) {
        const Primitives strip = assembled(PrimitiveMode::quad_strip, provoking, 6);
        ASSERT_EQ(strip.size(), 4U);
        std::map<std::uint32_t, int> area;
        for (const AssembledPrimitive& t : strip) {
            EXPECT_EQ(doubled_area(t, ladder), -1);
            area[provoking_vertex(t, provoking)] += 1;
        }
        EXPECT_EQ(area, (std::map<std::uint32_t, int>{{3, 2}, {5, 2}}));
    }
}

TEST(Assembly, APolygonIsAFanThatItsFirstVertexProvokes) {
    EXPECT_EQ(assembled(PrimitiveMode::polygon, Provoking::first, 4), (Primitives{{{0, 1, 2}}, {{0, 2, 3}}}));
    EXPECT_EQ(assembled(PrimitiveMode::polygon, Provoking::last, 4), (Primitives{{{1, 2, 0}}, {{2, 3, 0}}}));
}

TEST(Assembly, TooFewVerticesDrawNothing) {
    for (int mode = 1; mode < primitive_mode_count; ++mode) {
        const auto primitive_mode = static_cast<PrimitiveMode>(mode);
        EXPECT_TRUE(assembled(primitive_mode, Provoking::last, 0).empty());
        EXPECT_TRUE(assembled(primitive_mode, Provoking::last, 1).empty());
        if (kind_of(primitive_mode) == PrimitiveKind::triangle) {
            EXPECT_TRUE(assembled(primitive_mode, Provoking::last, 2).empty());
        }
    }
}

TEST(Assembly, RestartCutsAnIndexListIntoRunsThatAreNeverEmpty) {
    constexpr std::uint32_t restart = 0xffff;
    const std::vector<std::uint32_t> indices = {restart, 7, 8, 9, restart, restart, 3, restart};
    std::vector<std::uint32_t> kept;
    EXPECT_EQ(split_at_restart(indices, restart, kept), (std::vector<VertexRun>{{0, 3}, {3, 1}}));
    EXPECT_EQ(kept, (std::vector<std::uint32_t>{7, 8, 9, 3}));
}

TEST(Assembly, NoModeMakesMorePrimitivesThanItsVerticesAllow) {
    for (int mode = 0; mode < primitive_mode_count; ++mode) {
        const auto as = static_cast<PrimitiveMode>(mode);
        const auto step = static_cast<std::uint32_t>(vertices_between_primitives(as));
        for (std::uint32_t count = 0; count < 40; ++count) {
            std::vector<AssembledPrimitive> out;
            assemble(as, Provoking::last, 0, count, out);
            EXPECT_LE(out.size(), count / step) << "mode " << mode << ", " << count << " vertices";
        }
    }
}

}  // namespace models::functional
