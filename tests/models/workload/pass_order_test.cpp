#include "models/workload/pass_order.h"

#include <gtest/gtest.h>

namespace models {
namespace {

Program texture_program(ShaderStage stage) {
    Program program;
    program.stage = stage;
    program.instructions.resize(1);
    program.instructions[0].opcode = Opcode::tex;
    program.paths = {{{0, 1}}};
    return program;
}

// Passes of one tile each, with one quad and one vertex; targets of 32x32 pixels of 4 bytes take 64 lines.
class Passes {
  public:
    static constexpr BlockNumber lines = 64;
    static constexpr BlockNumber nowhere = 1 << 20;  // not in a target
    static Surface target(std::uint32_t number) { return {Address{number + 1} << 16U, 32, 32, 4}; }
    static BlockNumber line_of(std::uint32_t number, BlockNumber line = 0) {
        return static_cast<BlockNumber>(target(number).address / block_bytes) + line;
    }

    // A pass that renders to a target, and reads these lines by its quad and its vertex.
    Pass& add(std::uint32_t to, BlockNumber quad_reads = nowhere, BlockNumber vertex_reads = nowhere) {
        const auto number = static_cast<std::uint32_t>(frame.passes.size());
        Draw draw;
        draw.vertex_program = 0;
        draw.fragment_program = 1;
        draw.first_vertex = number;
        draw.vertex_count = 1;
        frame.draws.push_back(draw);
        Primitive primitive;
        primitive.draw = number;
        frame.primitives.push_back(primitive);
        frame.vertices.push_back({0, 0, 0, number});
        frame.vertex_accesses.push_back({number, 1});
        frame.vertex_blocks.push_back(vertex_reads);
        Quad quad;
        quad.primitive = number;
        quad.early_pass = 15;
        quad.first_access = number;
        frame.quads.push_back(quad);
        frame.accesses.push_back({number, 1});
        frame.blocks.push_back(quad_reads);
        frame.tiles.push_back({number, 1});
        Pass pass;
        pass.colour = {target(to)};
        pass.tiles_x = pass.tiles_y = 1;
        pass.first_draw = pass.first_tile = number;
        pass.draw_count = 1;
        frame.passes.push_back(pass);
        return frame.passes.back();
    }
    PassOrder order() const {
        PassOrder order;
        order.load(frame, {DecodedProgram(texture_program(ShaderStage::vertex)),
                           DecodedProgram(texture_program(ShaderStage::fragment))});
        return order;
    }
    Frame frame;
};

TEST(PassOrder, PassesThatShareNothingOverlap) {
    Passes passes;
    for (std::uint32_t target = 0; target < 3; ++target) passes.add(target);
    const PassOrder order = passes.order();
    for (std::uint32_t pass = 0; pass < 3; ++pass) {
        EXPECT_EQ(order.stored_before(pass), 0U);
        EXPECT_EQ(order.stored_before_vertices(pass), 0U);
    }
}

TEST(PassOrder, APassWaitsForTheLastOneWhoseTargetItsTexturesRead) {
    Passes passes;
    passes.add(0);
    passes.add(1);
    passes.add(2);
    passes.add(3, Passes::line_of(1, Passes::lines - 1));
    const PassOrder order = passes.order();
    EXPECT_EQ(order.stored_before(2), 0U);
    EXPECT_EQ(order.stored_before(3), 2U);
    EXPECT_EQ(order.stored_before_vertices(3), 0U);
}

TEST(PassOrder, TheLinesBesideATargetAreNotOfIt) {
    Passes passes;
    passes.add(0);
    passes.add(1, Passes::line_of(0, Passes::lines));
    passes.add(2, Passes::line_of(0) - 1);
    const PassOrder order = passes.order();
    EXPECT_EQ(order.stored_before(1), 0U);
    EXPECT_EQ(order.stored_before(2), 0U);
}

TEST(PassOrder, APassWaitsForOneThatWritesWhereItWrites) {
    Passes passes;
    passes.add(0);
    passes.add(1);
    passes.add(0);
    EXPECT_EQ(passes.order().stored_before(2), 1U);
}

TEST(PassOrder, APassWaitsForOneThatReadsWhatItWrites) {
    Passes passes;
    passes.add(0, Passes::line_of(2));
    passes.add(1, Passes::nowhere, Passes::line_of(3));
    passes.add(2);
    passes.add(3);
    const PassOrder order = passes.order();
    EXPECT_EQ(order.stored_before(2), 1U);
    EXPECT_EQ(order.stored_before(3), 2U);
}

TEST(PassOrder, LoadsAreReads) {
    Passes passes;
    passes.add(0).depth = Passes::target(7);
    passes.frame.passes[0].depth_store = true;
    passes.frame.passes[0].colour_store = false;  // and its colours are written nowhere
    passes.add(0).colour_load = true;
    Pass& loads_depth = passes.add(1);
    loads_depth.depth = Passes::target(7);
    loads_depth.depth_load = true;
    Pass& loads_colour = passes.add(0);
    loads_colour.colour_load = true;
    loads_colour.colour_store = false;
    const PassOrder order = passes.order();
    EXPECT_EQ(order.stored_before(1), 0U);
    EXPECT_EQ(order.stored_before(2), 1U);
    EXPECT_EQ(order.stored_before(3), 2U);
}

TEST(PassOrder, VerticesWaitOnlyForWhatTheirTexturesRead) {
    Passes passes;
    passes.add(0);
    passes.add(1);
    passes.add(2, Passes::line_of(1), Passes::line_of(0));
    passes.add(3, Passes::line_of(0), Passes::line_of(2));
    const PassOrder order = passes.order();
    EXPECT_EQ(order.stored_before_vertices(2), 1U);
    EXPECT_EQ(order.stored_before(2), 2U);
    EXPECT_EQ(order.stored_before_vertices(3), 3U);
    EXPECT_EQ(order.stored_before(3), 3U);  // no pass begins before its vertices
}

TEST(PassOrder, QuadsThatFailTheEarlyDepthTestReadNothing) {
    Passes passes;
    passes.add(0);
    passes.add(1, Passes::line_of(0));
    passes.frame.quads[1].early_pass = 0;
    EXPECT_EQ(passes.order().stored_before(1), 0U);
}

TEST(PassOrder, KnowsTheBlocksThatEachPassStores) {
    Passes passes;
    passes.add(0);
    passes.add(1).depth = Passes::target(2);
    passes.frame.passes[1].depth_store = true;
    const PassOrder order = passes.order();
    EXPECT_TRUE(order.written_by(0, Passes::line_of(0)));
    EXPECT_TRUE(order.written_by(0, Passes::line_of(0, Passes::lines - 1)));
    EXPECT_FALSE(order.written_by(0, Passes::line_of(0, Passes::lines)));
    EXPECT_FALSE(order.written_by(0, Passes::line_of(1)));
    EXPECT_TRUE(order.written_by(1, Passes::line_of(1)));
    EXPECT_TRUE(order.written_by(1, Passes::line_of(2)));
    EXPECT_FALSE(order.written_by(1, Passes::line_of(0)));
}

TEST(PassOrder, APassIsAwaitedIfALaterOneWaitsForItAsTheLast) {
    Passes passes;
    passes.add(0);
    passes.add(1);
    passes.add(2);
    passes.add(3, Passes::line_of(0));
    passes.add(4, Passes::line_of(0), Passes::line_of(2));
    passes.add(5);
    const PassOrder order = passes.order();
    EXPECT_TRUE(order.is_awaited(0));
    EXPECT_FALSE(order.is_awaited(1));
    EXPECT_TRUE(order.is_awaited(2));  // by vertices
    for (std::uint32_t pass = 3; pass < 6; ++pass) EXPECT_FALSE(order.is_awaited(pass));
}

TEST(PassOrder, APassReadsTheTargetsItsQuadsAndVerticesAndLoadsRead) {
    Passes passes;
    passes.add(0);
    passes.add(1);
    passes.add(2, Passes::line_of(0), Passes::line_of(1, 63));
    passes.add(3).colour_load = true;
    const PassOrder order = passes.order();
    EXPECT_TRUE(order.reads(2, Passes::target(0)));
    EXPECT_TRUE(order.reads(2, Passes::target(1)));
    EXPECT_FALSE(order.reads(2, Passes::target(2)));
    EXPECT_TRUE(order.reads(3, Passes::target(3)));
    EXPECT_FALSE(order.reads(0, Passes::target(0)));
}

TEST(PassOrder, APassReadsOnlyASurfaceIfItReadsNoOtherTargetButItsOwn) {
    Passes passes;
    passes.add(0);
    passes.add(1);
    passes.add(2, Passes::line_of(0));                      // pass 2
    passes.add(3, Passes::line_of(0), Passes::line_of(1));  // 3: vertices read another
    passes.add(4, Passes::line_of(0), Passes::line_of(0));  // 4: vertices read it
    passes.add(5, Passes::line_of(0)).colour_load = true;   // 5: and its own target
    Pass& loads = passes.add(6, Passes::line_of(0));        // 6: and another's depths
    loads.depth = Passes::target(1);
    loads.depth_load = true;
    const PassOrder order = passes.order();
    EXPECT_TRUE(order.reads_only(2, Passes::target(0)));
    EXPECT_FALSE(order.reads_only(2, Passes::target(1)));
    EXPECT_FALSE(order.reads_only(3, Passes::target(0)));
    EXPECT_FALSE(order.reads_only(4, Passes::target(0)));
    EXPECT_TRUE(order.reads_only(5, Passes::target(0)));
    EXPECT_FALSE(order.reads_only(6, Passes::target(0)));
    EXPECT_FALSE(order.reads_only(1, Passes::target(0)));  // nothing
}

}  // namespace
}  // namespace models
