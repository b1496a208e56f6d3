// What a cluster does that shades vertices, alone or beside fragments.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/processes/cluster.h"
#include "tests/models/cluster_fixture.h"

namespace models {
namespace {

using testing::ElementsAre;

using ClusterVerticesTest = ClusterFixture;

TEST_F(ClusterVerticesTest, ShadesVerticesWhenTheirAttributesAreThere) {
    cores_shade_fragments = false;
    has_vertex_cache = true;
    parameters.fragment_processor.groups_per_warp.set("4");
    program(std::vector<Instruction>(10, make(Opcode::add, 0, 0)), Scene::vertex_program);
    const std::uint32_t draw = vertex_draw(8);
    vertices(0, draw, 0, 4);
    vertices(second - 1, draw, 0, 4);
    run();
    EXPECT_THAT(counts_back(), ElementsAre(4, 4));
    // Four lines in four cycles, the last there a cycle later; forty cycles; a cycle to leave and one for the wire.
    EXPECT_EQ(vertices_back->times()[1], second + 3 + 1 + 40 + 1 + 1);
    EXPECT_EQ(bench::counter(*cluster, "vertices"), 8U);
    EXPECT_EQ(bench::counter(*cluster, "attribute_lines"), 8U);
    EXPECT_EQ(of("vertex_cache", "misses"), 4U);
}

TEST_F(ClusterVerticesTest, ReturnsVerticesInTheOrderInWhichTheyCame) {
    cores_shade_fragments = false;
    has_vertex_cache = true;
    parameters.fragment_processor.groups_per_warp.set("4");
    program(std::vector<Instruction>(40, make(Opcode::add, 0, 0)), Scene::vertex_program);
    path({{0, 1}}, Scene::vertex_program);
    const std::uint32_t draw = vertex_draw(8, {0, 0, 0, 0, 1, 1, 1, 1});
    vertices(0, draw, 0, 4);
    vertices(0, draw, 4, 2);
    vertices(0, draw, 6, 1);
    run();
    EXPECT_THAT(counts_back(), ElementsAre(4, 2, 1));
    EXPECT_EQ(vertices_back->times()[1], vertices_back->times()[0] + 1);  // a warp a cycle
    EXPECT_EQ(vertices_back->times()[2], vertices_back->times()[0] + 2);
}

TEST_F(ClusterVerticesTest, AVertexProcessorReadsTexturesThroughItsVertexCache) {
    cores_shade_fragments = false;
    has_vertex_cache = true;
    parameters.fragment_processor.groups_per_warp.set("4");
    program({make(Opcode::tex, 0, 5)}, Scene::vertex_program);
    const std::uint32_t draw = vertex_draw(1);
    scene.frame.vertex_accesses = {{0, 1}};
    scene.frame.vertex_blocks = {5000};
    vertices(0, draw, 0, 1);
    run();
    EXPECT_THAT(counts_back(), ElementsAre(1));
    EXPECT_EQ(of("vertex_cache", "accesses"), 2U);
    EXPECT_EQ(memory->seen.back().second.block, 5000U);
    EXPECT_EQ(memory->seen.back().second.client, MemoryClient::vertex);
}

// What run() looks at when all is done: a block is two accesses then.
TEST_F(ClusterVerticesTest, UnifiedCoresObeyTheirLawsWithShortLinesOfAttributes) {
    has_vertex_cache = true;
    parameters.fragment_processor.groups_per_warp.set("4");
    parameters.vertex_cache.line.set("32 B");
    program({make(Opcode::add, 0, 0)}, Scene::vertex_program);
    const std::uint32_t draw = vertex_draw(4);
    scene.frame.attributes.back().bytes = 64;
    vertices(0, draw, 0, 4);
    run();
    EXPECT_EQ(bench::counter(*cluster, "attribute_lines"), 4U);
    EXPECT_EQ(of("vertex_cache", "accesses"), 8U);
}

TEST_F(ClusterVerticesTest, UnifiedCoresShadeVerticesAndFragmentsAtOnce) {
    cores = 2;
    has_vertex_cache = true;
    parameters.fragment_processor.groups_per_warp.set("4");
    program(std::vector<Instruction>(100, make(Opcode::add, 0, 0)), Scene::vertex_program);
    program(std::vector<Instruction>(100, make(Opcode::add, 0, 0)));
    warm();
    std::vector<std::uint32_t> quads;
    for (int i = 0; i < 8; ++i) quads.push_back(add_quad({}));
    warp(0, {quads[0], quads[1], quads[2], quads[3]}, 0);
    warp(0, {quads[4], quads[5], quads[6], quads[7]}, 1);
    const std::uint32_t draw = vertex_draw(16);
    for (std::uint32_t i = 0; i < 4; ++i) vertices(0, draw, 4 * i, 4);  // bring attributes and instructions
    for (std::uint32_t i = 0; i < 4; ++i) vertices(second, draw, 4 * i, 4);
    run();
    EXPECT_THAT(counts_back(), ElementsAre(4, 4, 4, 4, 4, 4, 4, 4));
    EXPECT_EQ(bench::counter(*cluster, "vertices"), 32U);
    EXPECT_EQ(of_cores("quads_out"), 10U);
    // Fragments first, on a core of their own as it were: latencies leave room for three more warps.
    EXPECT_EQ(complete(0).at(0), 400);
    EXPECT_EQ(complete(1).at(0), 400);
    // Vertex warps go to the cores in turn.
    EXPECT_EQ(cluster->core(0).warps().warps_launched.value(), 1U + 1 + 4);
    EXPECT_EQ(cluster->core(1).warps().warps_launched.value(), 1U + 1 + 4);
    EXPECT_LE(vertices_back->times().back(), second + 16 + 400 + 20);
}

// The first pass has written what vertices of the second one sample.
TEST_F(ClusterVerticesTest, UnifiedCoresForgetTexturesThatAnEarlierPassWroteAlsoForVertices) {
    has_vertex_cache = true;
    parameters.fragment_processor.groups_per_warp.set("4");
    program({make(Opcode::tex, 0, 5)}, Scene::vertex_program);
    program({make(Opcode::tex, 0, 5)});
    constexpr BlockNumber target = (1 << 20) / block_bytes;  // of the first pass
    warm({{target}});
    scene.pass();
    const std::uint32_t draw = vertex_draw(1);
    scene.frame.vertex_accesses = {{0, 1}};
    scene.frame.vertex_blocks = {target};
    vertices(second, draw, 0, 1);
    run();
    EXPECT_THAT(counts_back(), ElementsAre(1));
    EXPECT_EQ(of("texture_cache", "misses"), 2U);
}

}  // namespace
}  // namespace models
