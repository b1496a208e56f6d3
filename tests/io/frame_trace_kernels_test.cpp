// Constants, uploads and compute kernels in a frame trace file: they come back, and what cannot be is refused by
// dataset and row. The kernels are those of sample_kernels.h: two blocks of 48 threads, each a group of 32 and one
// of 16.
#include <functional>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "io/frame_trace_check.h"
#include "tests/io/sample_trace.h"

namespace {

using models::Frame;

std::string refusal(const std::function<void(Frame&)>& change) {
    Frame frame = tests::SampleTrace().frame(10);
    change(frame);
    try {
        io::check_frame(frame, tests::SampleTrace::programs(), "t.h5", io::Workers(1));
    } catch (const engine::InputError& error) {
        const std::string message = error.what();
        return message.substr(message.find("frame 10: ") + 10);
    }
    return "none";
}

TEST(FrameTraceKernels, OfTheSampleAreSound) {
    EXPECT_EQ(refusal([](Frame&) {}), "none");
    const Frame frame = tests::SampleTrace().frame(10);
    ASSERT_EQ(frame.kernels.size(), 2U);
    EXPECT_EQ(models::blocks_of(frame.kernels[0]), 2U);
    EXPECT_EQ(models::threads_of_block(frame.kernels[0]), 48U);
    EXPECT_EQ(models::groups_of_block(frame.kernels[0]), 2U);
    EXPECT_EQ(frame.thread_groups.size(), 4U);
    EXPECT_EQ(models::blocks_of(frame.kernels[1]), 0U);  // a dispatch of nothing
}

TEST(FrameTraceKernels, RunAProgramOfTheirStageInTheOrderOfCommands) {
    EXPECT_EQ(refusal([](Frame& f) { f.kernels[0].program = 3; }),
              "/kernels/program: row 0: 3 is beyond the 3 rows of /programs");
    EXPECT_EQ(refusal([](Frame& f) { f.kernels[0].program = 1; }),
              "/kernels/program: row 0: is a program of another stage");
    EXPECT_EQ(refusal([](Frame& f) { f.kernels[1].before_draw = 4; }),
              "/kernels/before_draw: row 1: expected at most 3, found 4");
    EXPECT_EQ(refusal([](Frame& f) { f.kernels[1].before_draw = 0; }),
              "/kernels/before_draw: row 1: is before the row before it");
}

TEST(FrameTraceKernels, HaveBlocksThatAGpuCanRun) {
    EXPECT_EQ(refusal([](Frame& f) { f.kernels[1].grid[0] = 65536; }),
              "/kernels/grid: row 1: expected at most 65535, found 65536");
    EXPECT_EQ(refusal([](Frame& f) { f.kernels[1].block[1] = 0; }), "/kernels/block: row 1: has no threads");
    EXPECT_EQ(refusal([](Frame& f) { f.kernels[1].block[1] = 65; }),
              "/kernels/block: row 1: expected at most 1024, found 1040");
    EXPECT_EQ(refusal([](Frame& f) { f.kernels[0].grid[1] = 2; }),
              "/kernels/first_group: row 0: 0+8 is beyond the 4 rows of /thread_groups");
    EXPECT_EQ(refusal([](Frame& f) {
                  f.kernels[1].grid[2] = 1;
                  f.kernels[1].first_group = 0;
              }),
              "/kernels/first_group: row 1: claims rows of /thread_groups that rows before it have");
}

TEST(FrameTraceKernels, GroupsHaveARowForEachAccessOnTheirPath) {
    EXPECT_EQ(refusal([](Frame& f) { f.thread_groups[2].path = 2; }),
              "/thread_groups/path: row 2: 2 is beyond the 2 paths of its program");
    EXPECT_EQ(refusal([](Frame& f) { f.thread_groups[3].first_memory_access = 10; }),
              "/thread_groups/first_memory_access: row 3: 10+3 is beyond the 12 rows of /memory_accesses");
    EXPECT_EQ(refusal([](Frame& f) { f.thread_groups[3].first_access = 4; }),
              "/thread_groups/first_access: row 3: 4+1 is beyond the 4 rows of /kernel_accesses");
    EXPECT_EQ(refusal([](Frame& f) { f.memory_accesses[4].instruction = 3; }),
              "/memory_accesses/instruction: row 4: expected 2 as the path has it, found 3");
    EXPECT_EQ(refusal([](Frame& f) { f.memory_accesses[4].threads = 0x100; }),
              "/memory_accesses/threads: row 4: has threads that do not execute the instruction");
    EXPECT_EQ(refusal([](Frame& f) { f.kernel_accesses[1].first_block = 8; }),
              "/kernel_accesses/first_block: row 1: 8+2 is beyond the 8 rows of /kernel_blocks");
}

TEST(FrameTraceKernels, AddressesAreThoseOfMemory) {
    EXPECT_EQ(refusal([](Frame& f) { f.memory_accesses[0].base = 1ULL << 38U; }),
              "/memory_accesses/base: row 0: expected at most 274877906943, found 274877906944");
    EXPECT_EQ(refusal([](Frame& f) { f.memory_accesses[0].bytes = 17; }),
              "/memory_accesses/bytes: row 0: expected 1 to 16, found 17");
    EXPECT_EQ(refusal([](Frame& f) { f.memory_accesses[2].first_address = 65; }),
              "/memory_accesses/first_address: row 2: 65+32 is beyond the 96 rows of /thread_addresses");
    EXPECT_EQ(refusal([](Frame& f) { f.thread_addresses[95] = ~0ULL; }),
              "/thread_addresses/address: row 95: expected at most 274877906943, found 18446744073709551615");
    // 32 threads, 32 bytes apart from 36 on: the last begins at 1028.
    EXPECT_EQ(refusal([](Frame& f) {
                  f.memory_accesses[1].base = 36;
                  f.memory_accesses[1].stride = 32;
              }),
              "/memory_accesses/base: row 1: is beyond the 1024 bytes that the block shares");
    EXPECT_EQ(refusal([](Frame& f) {
                  f.memory_accesses[1].base = 28;
                  f.memory_accesses[1].stride = 32;
              }),
              "none");
}

TEST(FrameTraceMemory, ConstantsBelongToOneDrawOrKernelOfTheirStage) {
    EXPECT_EQ(refusal([](Frame& f) {
                  f.draws[1].first_constant = 0;
                  f.draws[1].constant_count = 6;
              }),
              "/draws/first_constant: row 1: claims rows of /constants that rows before it have");
    EXPECT_EQ(refusal([](Frame& f) { f.constants[6].stage = models::ShaderStage::vertex; }),
              "/constants/stage: row 6: is another than that of its draw or kernel");
    EXPECT_EQ(refusal([](Frame& f) { f.constants[1].slot = 32; }),
              "/constants/slot: row 1: 32 is beyond the 32 constant buffers of a program");
    EXPECT_EQ(refusal([](Frame& f) { f.constants[1].bytes = 0x100001; }),
              "/constants/bytes: row 1: expected at most 1048576, found 1048577");
    EXPECT_EQ(refusal([](Frame& f) { f.constant_accesses[0].index_count = 0; }),
              "/constant_accesses/index_count: row 0: expected 1 to 32, found 0");
    EXPECT_EQ(refusal([](Frame& f) {
                  f.vertices[0].first_constant_access = static_cast<std::uint32_t>(f.constant_accesses.size());
              }).substr(0, 40),
              "/vertices/first_constant_access: row 0: ");
}

TEST(FrameTraceMemory, UploadsAreInTheOrderOfCommands) {
    EXPECT_EQ(refusal([](Frame& f) { f.uploads[3].before_kernel = 3; }),
              "/uploads/before_kernel: row 3: expected at most 2, found 3");
    EXPECT_EQ(refusal([](Frame& f) { f.uploads[2].before_draw = 0; }),
              "/uploads/before_draw: row 2: is before the row before it");
    EXPECT_EQ(refusal([](Frame& f) { f.uploads[1].bytes = ~0ULL; }).substr(0, 25), "/uploads/address: row 1: ");
}

TEST(FrameTracePresented, SumsAreThoseOfBytes) {
    EXPECT_EQ(refusal([](Frame& f) { f.presented[0].green = 60 * 40 * 255 + 1; }),
              "/presented/green: row 0: expected at most 612000, found 612001");
    EXPECT_EQ(refusal([](Frame& f) { f.presented[0].blue_squared = f.presented[0].blue * 255 + 1; }),
              "/presented/blue_squared: row 0: expected at most 765000, found 765001");
}

// The lanes of a quad with the flags of its draw set as wanted.
std::string lanes_refused(bool early_depth, bool early_test, const std::function<void(models::Quad&)>& change) {
    return refusal([&](Frame& f) {
        for (models::Draw& draw : f.draws) {
            draw.early_depth = early_depth;
            draw.early_test = early_test;
        }
        for (models::Quad& quad : f.quads)
            quad.early_pass = quad.early_test = quad.written = quad.visible = quad.shaded = quad.coverage,
            quad.reconstructed = 0;
        for (models::Quad& quad : f.quads) quad.path = 1, quad.first_access = quad.first_constant_access = 0;
        f.quads[9].coverage = f.quads[9].early_pass = f.quads[9].early_test = f.quads[9].written = f.quads[9].visible =
            f.quads[9].shaded = 7;
        change(f.quads[9]);
    });
}

TEST(FrameTraceLanes, FollowFromEachOther) {
    using models::Quad;
    EXPECT_EQ(lanes_refused(true, true, [](Quad&) {}), "none");
    EXPECT_EQ(lanes_refused(false, false,
                            [](Quad& q) {
                                q.early_pass = 3;
                                q.written = q.visible = 3;
                            }),
              "/quads/early_pass: row 9: is not the coverage though its draw has no early_depth");
    EXPECT_EQ(lanes_refused(true, true, [](Quad& q) { q.early_test = 3; }),
              "/quads/early_test: row 9: is not early_pass though its draw has early_depth");
    EXPECT_EQ(lanes_refused(false, false, [](Quad& q) { q.early_test = q.written = q.shaded = 3; }),
              "/quads/early_test: row 9: is not the coverage though its draw has no early_test");
    EXPECT_EQ(lanes_refused(false, true, [](Quad& q) { q.early_test = q.written = q.shaded = 3; }), "none");
    EXPECT_EQ(lanes_refused(false, true, [](Quad& q) { q.early_test = q.shaded = 3; }),
              "/quads/written: row 9: has lanes that failed the test before shading");
    EXPECT_EQ(lanes_refused(true, true, [](Quad& q) { q.visible = 8; }),
              "/quads/visible: row 9: has lanes that failed the early test");
    EXPECT_EQ(lanes_refused(true, true, [](Quad& q) { q.shaded = 8; }),
              "/quads/shaded: row 9: has lanes that failed the test before shading");
    EXPECT_EQ(lanes_refused(true, true, [](Quad& q) { q.reconstructed = 1; }),
              "/quads/reconstructed: row 9: has lanes that are shaded, or failed the test before shading");
    EXPECT_EQ(lanes_refused(true, false, [](Quad&) {}), "/draws/early_test: row 0: is 0 where early_depth is 1");
}

TEST(FrameTraceDraws, SayWhatTheyReadAndWrite) {
    EXPECT_EQ(refusal([](Frame& f) { f.draws[1].samples = 2; }), "/draws/samples: row 1: is neither 1 nor 4");
    EXPECT_EQ(refusal([](Frame& f) { f.draws[1].blend = 4; }),
              "/draws/colour_mask: row 1: writes no channel of a target whose old colour is read");
    EXPECT_EQ(refusal([](Frame& f) {
                  f.accesses[3].samples = 1;
                  f.accesses[3].filter = models::TextureFilter::size_query;
              }),
              "/accesses/samples: row 3: is not 0 though the filter reads nothing");
    EXPECT_EQ(refusal([](Frame& f) {
                  f.accesses[3].samples = 0;
                  f.accesses[3].block_count = 1;
                  f.accesses[3].first_block = 0;
                  f.accesses[3].filter = models::TextureFilter::size_query;
              }),
              "/accesses/block_count: row 3: is not 0 though the filter reads nothing");
    EXPECT_EQ(refusal([](Frame& f) { f.accesses[3].texel_bytes = 65; }),
              "/accesses/texel_bytes: row 3: is more than 64");
    EXPECT_EQ(refusal([](Frame& f) { f.accesses[3].texel_bytes = 0; }),
              "/accesses/texel_bytes: row 3: is 0 though the filter reads texels");
    EXPECT_EQ(refusal([](Frame& f) { f.accesses[3].lod = 0x1000; }),
              "/accesses/lod: row 3: is beyond the last level possible");
    EXPECT_EQ(refusal([](Frame& f) { f.passes[0].first_hash = 1; }),
              "/passes/first_hash: row 0: 1+8 is beyond the 8 rows of /colour_hashes");
}

}  // namespace
