#include "models/workload/frame_work.h"

#include <gtest/gtest.h>

#include "models/machine_parameters.h"
#include "tests/models/scene.h"

namespace models {
namespace {

// A tile of two opaque quads at one place, the second of which hides two lanes of the first, and one that fails.
TEST(FrameWork, IsWhatTheFrameAsksForCountedByHand) {
    Scene scene;
    Program& program = scene.trace.programs[Scene::fragment_program];
    program.instructions.resize(4);
    program.instructions[0].opcode = program.instructions[2].opcode = Opcode::tex;
    program.paths = {{{0, 4, 15}}, {{0, 2, 15}, {3, 1, 15}}};
    scene.pass();
    scene.opaque_draw();
    for (const int lanes : {0b1111, 0b0011, 0b0000}) {
        scene.primitive();
        scene.quad(0, 3, 3, static_cast<std::uint8_t>(lanes));
    }
    Draw& draw = scene.draw(DrawKind::geometry);
    draw.vertex_count = 5;
    draw.fetch_count = 6;
    scene.frame.vertices.resize(5);
    scene.frame.fetches = {0, 1, 2, 2, 1, 4};
    scene.frame.accesses = {{0, 2}, {2, 3}, {5, 1}};
    scene.frame.blocks.assign(6, 1000);
    scene.finish();
    scene.frame.quads[1].path = 1;
    scene.frame.quads[1].first_access = 2;

    const MachineParameters parameters;
    Workload workload({1 << 30, Rendering::tiled_hidden_surface_removal, parameters.tiling});
    workload.load(scene.trace, scene.frame);
    const FrameWork work =
        count_work(scene.trace, workload, [](const TextureAccess& access) { return access.block_count + 10U; });
    EXPECT_EQ(work.quads, 3U);
    EXPECT_EQ(work.killed, 1U);
    EXPECT_EQ(work.accesses, 2U + 1);
    EXPECT_EQ(work.blocks, 5U + 1);
    EXPECT_EQ(work.filter_cycles, 5U + 1 + 3 * 10);
    EXPECT_EQ(work.quad_instructions, 4U + 3);
    EXPECT_EQ(work.thread_instructions, 4U * 2 + 3 * 2);
    EXPECT_EQ(work.primitives, 3U);
    EXPECT_EQ(work.indices, 6U);
    EXPECT_EQ(work.vertices, 4U);  // nobody names vertex 3
}

}  // namespace
}  // namespace models
