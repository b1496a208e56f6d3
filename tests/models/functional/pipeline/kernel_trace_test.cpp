#include "models/functional/kernel_trace.h"

#include <cstdlib>
#include <filesystem>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/recording/recording.h"
#include "tests/models/functional/pipeline/compute_scene.h"
#include "tests/models/functional/pipeline/frame_laws.h"

namespace models::functional {
namespace {

using testing::ElementsAre;

struct Traced {
    Frame frame;
    std::vector<Program> programs;
};

Traced traced(ComputeScene& scene, int threads = 1) {
    scene.read_back(1, {0});
    FunctionalRenderer renderer(scene.stream.bytes(), {.threads = threads});
    Traced result;
    EXPECT_TRUE(renderer.next_frame(&result.frame, nullptr, nullptr));
    result.programs = renderer.programs();
    check_laws(result.frame, result.programs);
    return result;
}

TEST(KernelTrace, AKernelHasItsGridItsBlocksAndItsGroups) {
    ComputeScene scene;
    const std::uint32_t out = scene.buffer(WordList(400, 0));
    scene.program(
        linear_program(40, "DCL BUFFER[0]\nDCL MEMORY[1], SHARED\n", "STORE BUFFER[0].x, TEMP[1].xxxx, TEMP[0].xxxx\n"),
        256);
    scene.bind_buffer(0, out, 1600);
    scene.launch({40, 1, 1}, {2, 3, 1});
    const Frame frame = traced(scene).frame;
    ASSERT_EQ(frame.kernels.size(), 1U);
    const Kernel& kernel = frame.kernels[0];
    EXPECT_THAT(kernel.grid, ElementsAre(2, 3, 1));
    EXPECT_THAT(kernel.block, ElementsAre(40, 1, 1));
    EXPECT_EQ(kernel.shared_bytes, 256U);
    EXPECT_EQ(frame.thread_groups.size(), 12U);  // 32 and 8 threads of each block
    ASSERT_EQ(frame.memory_accesses.size(), 12U);
    EXPECT_EQ(frame.memory_accesses[0].threads, 0xffffffffU);
    EXPECT_EQ(frame.memory_accesses[1].threads, 0xffU);
    EXPECT_EQ(frame.memory_accesses[1].base, frame.memory_accesses[0].base + 32 * 4);
}

TEST(KernelTrace, AddressesThatAscendEvenlyAreABaseAndAStrideAndOthersAreListed) {
    ComputeScene scene;
    const std::uint32_t data = scene.buffer(WordList(512, 1));
    scene.program(linear_program(32, "DCL BUFFER[0]\nIMM[1] UINT32 {3, 124, 0, 0}\n",
                                 R"(LOAD TEMP[2], BUFFER[0], IMM[0].xxxx
UMUL TEMP[3].x, TEMP[1].xxxx, IMM[1].xxxx
LOAD TEMP[4].x, BUFFER[0], TEMP[3].xxxx
INEG TEMP[5].x, TEMP[1].xxxx
UADD TEMP[5].x, TEMP[5].xxxx, IMM[1].yyyy
ATOMUADD TEMP[6].x, BUFFER[0], TEMP[5].xxxx, IMM[0].yyyy
)"));
    scene.bind_buffer(0, data, 2048);
    scene.launch({32, 1, 1}, {1, 1, 1});
    const Traced made = traced(scene);
    const std::vector<MemoryAccess>& accesses = made.frame.memory_accesses;
    ASSERT_EQ(accesses.size(), 3U);
    const Address base = accesses[0].base - 4;
    EXPECT_EQ(accesses[0].stride, 0U);
    EXPECT_EQ(accesses[0].bytes, 16U);
    EXPECT_EQ(accesses[0].first_address, none);
    EXPECT_EQ(accesses[1].base, base);
    EXPECT_EQ(accesses[1].stride, 12U);
    EXPECT_EQ(accesses[1].operation, AccessOperation::read);
    EXPECT_EQ(accesses[2].operation, AccessOperation::atomic);
    ASSERT_EQ(accesses[2].first_address, 0U);
    ASSERT_EQ(made.frame.thread_addresses.size(), 32U);
    for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(made.frame.thread_addresses[t], base + 124 - 4 * t);
}

// Odd threads load, of which half are out of bounds.
TEST(KernelTrace, ThreadsThatTakePartAndAreInBoundsAreInTheMasks) {
    ComputeScene scene;
    const std::uint32_t data = scene.buffer(WordList(64, 1));
    scene.program(linear_program(32, "DCL BUFFER[0]\n", R"(AND TEMP[2].x, SV[0].xxxx, IMM[0].yyyy
UIF TEMP[2].xxxx
  LOAD TEMP[3].x, BUFFER[0], TEMP[1].xxxx
ENDIF
)"));
    scene.bind_buffer(0, data, 64);
    scene.launch({32, 1, 1}, {1, 1, 1});
    const Traced made = traced(scene);
    ASSERT_EQ(made.frame.memory_accesses.size(), 1U);
    const MemoryAccess& access = made.frame.memory_accesses[0];
    EXPECT_EQ(access.threads, 0xaaaaU);
    EXPECT_EQ(access.stride, 4U);
    const Kernel& kernel = made.frame.kernels.at(0);
    const Path& path = made.programs.at(kernel.program).paths.at(made.frame.thread_groups.at(0).path);
    const auto holds = [&](const PathRun& run) {
        return run.first <= access.instruction && access.instruction < run.first + run.count;
    };
    const auto run = std::find_if(path.begin(), path.end(), holds);
    ASSERT_NE(run, path.end());
    EXPECT_EQ(run->lanes, 0xaaaaaaaaU);
}

TEST(KernelTrace, IsTheSameForAnyNumberOfWorkers) {
    ComputeScene scene;
    const std::uint32_t in = scene.buffer(WordList(6000, 3)), out = scene.buffer(WordList(6000, 0));
    scene.program(linear_program(60, "DCL BUFFER[0..1]\n", R"(LOAD TEMP[2].x, BUFFER[1], TEMP[1].xxxx
STORE BUFFER[0].x, TEMP[1].xxxx, TEMP[2].xxxx
)"));
    scene.bind_buffer(0, out, 24000);
    scene.bind_buffer(1, in, 24000);
    scene.launch({60, 1, 1}, {100, 1, 1});
    ComputeScene again = scene;
    EXPECT_EQ(traced(scene, 1).frame, traced(again, 3).frame);
}

// Counted by another program: reference/compute.md.
TEST(KernelTrace, TheRecordedKernelsAccessMemoryAsOftenAsCountedElsewhere) {
    const char* shared = std::getenv("TESSERA_SHARED");  // NOLINT(concurrency-mt-unsafe): before any thread
    const std::filesystem::path path = std::filesystem::path(shared != nullptr ? shared : TESSERA_SOURCE "/../shared") /
                                       "recordings_compute/c_five.vtr.zst";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there";
    const std::vector<std::byte> stream = io::load_recording(path);
    FunctionalRenderer renderer(stream, {.threads = 1});
    std::vector<std::size_t> kernels, threads, accesses, fetches;
    for (Frame frame; renderer.next_frame(&frame, nullptr, nullptr);) {
        kernels.push_back(frame.kernels.size());
        threads.push_back(std::accumulate(
            frame.kernels.begin(), frame.kernels.end(), std::size_t{0},
            [](std::size_t sum, const Kernel& kernel) { return sum + blocks_of(kernel) * threads_of_block(kernel); }));
        accesses.push_back(frame.memory_accesses.size());
        fetches.push_back(frame.kernel_accesses.size());
    }
    EXPECT_THAT(kernels, ElementsAre(4, 2, 10, 15, 19));
    EXPECT_THAT(threads, ElementsAre(393216, 2 * 98304, 40960, 491520, 38912));
    EXPECT_THAT(accesses, ElementsAre(86016, 3072 + 27648 + 3072, 5120, 144888, 5985));
    EXPECT_THAT(fetches, ElementsAre(0, 27648, 0, 0, 0));
}

}  // namespace
}  // namespace models::functional
