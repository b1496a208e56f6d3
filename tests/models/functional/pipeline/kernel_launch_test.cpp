#include "models/functional/kernel_launch.h"

#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/functional/pipeline/compute_scene.h"

namespace models::functional {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string two_buffers = "DCL BUFFER[0]\nDCL BUFFER[1]\n";

WordList counting(std::uint32_t size) {
    WordList words(size);
    std::iota(words.begin(), words.end(), 0U);
    return words;
}

std::string refusal(ComputeScene& scene) {
    scene.submit();
    return error_of([&] {
        FunctionalRenderer renderer(scene.stream.bytes(), {.threads = 1});
        renderer.next_frame(nullptr, nullptr, nullptr);
    });
}

TEST(KernelLaunch, EveryThreadKnowsItsPlace) {
    constexpr std::string_view program = R"(COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 2
PROPERTY CS_FIXED_BLOCK_HEIGHT 3
PROPERTY CS_FIXED_BLOCK_DEPTH 2
DCL SV[0], THREAD_ID
DCL SV[1], BLOCK_ID
DCL SV[2], GRID_SIZE
DCL BUFFER[0]
DCL TEMP[0..3]
IMM[0] UINT32 {12, 2, 3, 4}
IMM[1] UINT32 {100, 10, 1, 1000}
UMAD TEMP[0].x, SV[0].zzzz, IMM[0].zzzz, SV[0].yyyy
UMAD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy, SV[0].xxxx
UMAD TEMP[1].x, SV[1].yyyy, SV[2].xxxx, SV[1].xxxx
UMAD TEMP[0].x, TEMP[1].xxxx, IMM[0].xxxx, TEMP[0].xxxx
UMUL TEMP[0].x, TEMP[0].xxxx, IMM[0].wwww
UMUL TEMP[2].x, SV[0].xxxx, IMM[1].xxxx
UMAD TEMP[2].x, SV[0].yyyy, IMM[1].yyyy, TEMP[2].xxxx
UADD TEMP[2].x, SV[0].zzzz, TEMP[2].xxxx
UMAD TEMP[2].x, SV[1].yyyy, IMM[1].wwww, TEMP[2].xxxx
STORE BUFFER[0].x, TEMP[0].xxxx, TEMP[2].xxxx
END
)";
    ComputeScene scene;
    const std::uint32_t out = scene.buffer(WordList(48, 7));
    scene.program(program);
    scene.bind_buffer(0, out, 48 * 4);
    scene.launch({2, 3, 2}, {2, 2, 1});
    WordList expected;
    for (std::uint32_t y = 0; y < 2; ++y)
        for (std::uint32_t x = 0; x < 2; ++x)
            for (std::uint32_t t = 0; t < 12; ++t) expected.push_back(t % 2 * 100 + t / 2 % 3 * 10 + t / 6 + y * 1000);
    EXPECT_EQ(contents(scene, out), expected);
}

TEST(KernelLaunch, LoadsAndStoresReachOnlyTheComponentsOfTheirMaskWithinTheirBuffer) {
    ComputeScene scene;
    const std::uint32_t in = scene.buffer({10, 11, 12, 13, 14, 15}), out = scene.buffer(WordList(8, 1));
    scene.program(linear_program(2, two_buffers, R"(UMUL TEMP[2].x, TEMP[1].xxxx, IMM[0].xxxx
LOAD TEMP[3], BUFFER[1], TEMP[2].xxxx
STORE BUFFER[0].xzw, TEMP[2].xxxx, TEMP[3]
)"));
    scene.bind_buffer(0, out, 28);
    scene.bind_buffer(1, in, 20);  // without 15
    scene.launch({2, 1, 1}, {1, 1, 1});
    EXPECT_THAT(contents(scene, out), ElementsAre(10, 1, 12, 13, 14, 1, 0, 1));
}

TEST(KernelLaunch, BuffersBeginAtTheirOffsetAndTellTheirSize) {
    ComputeScene scene;
    const std::uint32_t out = scene.buffer(WordList(6, 9));
    scene.program(linear_program(1, two_buffers, R"(RESQ TEMP[2].x, BUFFER[0]
STORE BUFFER[0].x, IMM[0].zzzz, TEMP[2].xxxx
RESQ TEMP[2].x, BUFFER[1]
STORE BUFFER[0].x, IMM[0].xxxx, TEMP[2].xxxx
)"));
    scene.bind_buffer(0, out, 8, 16);
    scene.launch({1, 1, 1}, {1, 1, 1});
    EXPECT_THAT(contents(scene, out), ElementsAre(9, 9, 9, 9, 8, 0));
}

struct Atomic {
    const char* name;
    std::uint32_t made;
};
class Atomics : public testing::TestWithParam<Atomic> {};

TEST_P(Atomics, GiveTheOldValueAndChangeMemory) {
    ComputeScene scene;
    const std::uint32_t target = scene.buffer({0xfffffff0U, 5}), out = scene.buffer(WordList(2, 0));
    const std::string third = std::string(GetParam().name) == "ATOMCAS" ? ", IMM[1].yyyy" : "";
    scene.program(linear_program(1, two_buffers + "IMM[1] UINT32 {7, 42, 0, 0}\n",
                                 std::string(GetParam().name) + " TEMP[2].x, BUFFER[0], IMM[0].zzzz, IMM[1].xxxx" +
                                     third + "\nSTORE BUFFER[1].x, IMM[0].zzzz, TEMP[2].xxxx\n"));
    scene.bind_buffer(0, target, 8);
    scene.bind_buffer(1, out, 8);
    scene.launch({1, 1, 1}, {1, 1, 1});
    EXPECT_THAT(contents(scene, target), ElementsAre(GetParam().made, 5));
    EXPECT_THAT(contents(scene, out), ElementsAre(0xfffffff0U, 0));
}
INSTANTIATE_TEST_SUITE_P(Operations, Atomics,
                         testing::Values(Atomic{"ATOMUADD", 0xfffffff7U}, Atomic{"ATOMXCHG", 7},
                                         Atomic{"ATOMCAS", 0xfffffff0U}, Atomic{"ATOMAND", 0},
                                         Atomic{"ATOMOR", 0xfffffff7U}, Atomic{"ATOMXOR", 0xfffffff7U},
                                         Atomic{"ATOMUMIN", 7}, Atomic{"ATOMUMAX", 0xfffffff0U},
                                         Atomic{"ATOMIMIN", 0xfffffff0U}, Atomic{"ATOMIMAX", 7}),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

TEST(KernelLaunch, CompareAndExchangeStoresWhereTheOldValueIsTheOneExpected) {
    ComputeScene scene;
    const std::uint32_t target = scene.buffer({5, 6});
    scene.program(linear_program(2, "DCL BUFFER[0]\nIMM[1] UINT32 {6, 42, 0, 0}\n",
                                 "ATOMCAS TEMP[2].x, BUFFER[0], TEMP[1].xxxx, IMM[1].xxxx, IMM[1].yyyy\n"));
    scene.bind_buffer(0, target, 8);
    scene.launch({2, 1, 1}, {1, 1, 1});
    EXPECT_THAT(contents(scene, target), ElementsAre(5, 42));
}

TEST(KernelLaunch, AtomicsOutsideTheirBufferGiveZeroAndChangeNothing) {
    ComputeScene scene;
    const std::uint32_t target = scene.buffer({5, 6}), out = scene.buffer({9});
    scene.program(linear_program(1, two_buffers, R"(ATOMUADD TEMP[2].x, BUFFER[0], IMM[0].xxxx, IMM[0].yyyy
STORE BUFFER[1].x, IMM[0].zzzz, TEMP[2].xxxx
)"));
    scene.bind_buffer(0, target, 4);
    scene.bind_buffer(1, out, 4);
    scene.launch({1, 1, 1}, {1, 1, 1});
    EXPECT_THAT(contents(scene, target), ElementsAre(5, 6));
    EXPECT_THAT(contents(scene, out), ElementsAre(0));
}

// A tree in shared memory: the barrier stands in a loop, and the block has four batches.
TEST(KernelLaunch, ABarrierInALoopLetsTheThreadsOfABlockAddUpTheirNumbers) {
    ComputeScene scene;
    const std::uint32_t out = scene.buffer(WordList(3, 0));
    scene.program(linear_program(256, "DCL BUFFER[0]\nDCL MEMORY[1], SHARED\nIMM[1] UINT32 {128, 8, 0, 0}\n",
                                 R"(UMUL TEMP[2].x, SV[0].xxxx, IMM[0].xxxx
STORE MEMORY[0].x, TEMP[2].xxxx, TEMP[0].xxxx
MOV TEMP[3].x, IMM[1].xxxx
BGNLOOP
  MEMBAR IMM[1].yyyy
  BARRIER
  USEQ TEMP[4].x, TEMP[3].xxxx, IMM[0].zzzz
  UIF TEMP[4].xxxx
    BRK
  ENDIF
  USLT TEMP[4].x, SV[0].xxxx, TEMP[3].xxxx
  UIF TEMP[4].xxxx
    UMAD TEMP[5].x, TEMP[3].xxxx, IMM[0].xxxx, TEMP[2].xxxx
    LOAD TEMP[6].x, MEMORY[0], TEMP[5].xxxx
    LOAD TEMP[7].x, MEMORY[0], TEMP[2].xxxx
    UADD TEMP[6].x, TEMP[6].xxxx, TEMP[7].xxxx
    STORE MEMORY[0].x, TEMP[2].xxxx, TEMP[6].xxxx
  ENDIF
  USHR TEMP[3].x, TEMP[3].xxxx, IMM[0].yyyy
ENDLOOP
USEQ TEMP[4].x, SV[0].xxxx, IMM[0].zzzz
UIF TEMP[4].xxxx
  LOAD TEMP[6].x, MEMORY[0], IMM[0].zzzz
  UMUL TEMP[5].x, SV[1].xxxx, IMM[0].xxxx
  STORE BUFFER[0].x, TEMP[5].xxxx, TEMP[6].xxxx
ENDIF
)"),
                  1024);
    scene.bind_buffer(0, out, 12);
    scene.launch({256, 1, 1}, {3, 1, 1});
    const auto sum = [](std::uint32_t block) { return 256 * 255 / 2 + block * 256 * 256; };
    EXPECT_THAT(contents(scene, out), ElementsAre(sum(0), sum(1), sum(2)));
}

TEST(KernelLaunch, SharedMemoryIsZeroAtTheBeginningOfEachBlock) {
    ComputeScene scene;
    const std::uint32_t out = scene.buffer(WordList(4, 9));
    scene.program(linear_program(1, "DCL BUFFER[0]\nDCL MEMORY[1], SHARED\n",
                                 R"(ATOMUADD TEMP[2].x, MEMORY[0], IMM[0].zzzz, IMM[0].yyyy
STORE BUFFER[0].x, TEMP[1].xxxx, TEMP[2].xxxx
)"),
                  4);
    scene.bind_buffer(0, out, 16);
    scene.launch({1, 1, 1}, {4, 1, 1});
    EXPECT_THAT(contents(scene, out), Each(0U));
}

// All blocks write the same dword: the last one wins, as if they ran in order.
TEST(KernelLaunch, WritesOfBlocksTakeEffectInTheirOrder) {
    ComputeScene scene;
    const std::uint32_t out = scene.buffer({0, 0});
    scene.program(linear_program(64, "DCL BUFFER[0]\n", "STORE BUFFER[0].x, IMM[0].zzzz, TEMP[0].xxxx\n"));
    scene.bind_buffer(0, out, 8);
    scene.launch({64, 1, 1}, {300, 1, 1});
    for (const int threads : {1, 2, 3}) EXPECT_THAT(contents(scene, out, threads), ElementsAre(300 * 64 - 1, 0));
}

// Each thread adds one to what its left neighbour made, across blocks: only the order of the blocks makes it a count.
TEST(KernelLaunch, BlocksThatSeeWhatOthersWroteRunInOrder) {
    ComputeScene scene;
    const std::uint32_t chain = scene.buffer(WordList(101, 0));
    scene.program(linear_program(1, "DCL BUFFER[0]\n", R"(LOAD TEMP[2].x, BUFFER[0], TEMP[1].xxxx
UADD TEMP[2].x, TEMP[2].xxxx, IMM[0].yyyy
UADD TEMP[3].x, TEMP[1].xxxx, IMM[0].xxxx
STORE BUFFER[0].x, TEMP[3].xxxx, TEMP[2].xxxx
)"));
    scene.bind_buffer(0, chain, 404);
    scene.launch({1, 1, 1}, {100, 1, 1});
    for (const int threads : {1, 2}) EXPECT_EQ(contents(scene, chain, threads), counting(101));
}

TEST(KernelLaunch, CountersGoUpInTheOrderOfThreads) {
    ComputeScene scene;
    const std::uint32_t counter = scene.buffer({0}), out = scene.buffer(WordList(600, 0));
    scene.program(linear_program(200, two_buffers, R"(ATOMUADD TEMP[2].x, BUFFER[0], IMM[0].zzzz, IMM[0].yyyy
STORE BUFFER[1].x, TEMP[1].xxxx, TEMP[2].xxxx
)"));
    scene.bind_buffer(0, counter, 4);
    scene.bind_buffer(1, out, 2400);
    scene.launch({200, 1, 1}, {3, 1, 1});
    for (const int threads : {1, 2}) EXPECT_EQ(contents(scene, out, threads), counting(600));
}

TEST(KernelLaunch, AComputedSlotSelectsABufferForEachThread) {
    ComputeScene scene;
    const std::uint32_t first = scene.buffer({0, 0}), second = scene.buffer({0, 0});
    scene.program(linear_program(2, "DCL BUFFER[0..1]\n", R"(UARL ADDR[0].x, SV[0].xxxx
STORE BUFFER[ADDR[0].x].x, TEMP[1].xxxx, IMM[0].wwww
)"));
    scene.bind_buffer(0, first, 8);
    scene.bind_buffer(1, second, 8);
    scene.launch({2, 1, 1}, {1, 1, 1});
    EXPECT_THAT(contents(scene, first), ElementsAre(2, 0));
    EXPECT_THAT(contents(scene, second), ElementsAre(0, 2));
}

TEST(KernelLaunch, AnIndirectLaunchTakesItsGridFromMemory) {
    ComputeScene scene;
    const std::uint32_t out = scene.buffer(WordList(4, 9)), grid = scene.buffer({7, 2, 1, 1, 0, 1, 1});
    scene.program(linear_program(1, "DCL BUFFER[0]\n", "STORE BUFFER[0].x, TEMP[1].xxxx, SV[2].xxxx\n"));
    scene.bind_buffer(0, out, 16);
    scene.launch({1, 1, 1}, {0, 0, 0}, grid, 4);
    scene.launch({1, 1, 1}, {0, 0, 0}, grid, 16);  // none along x
    EXPECT_THAT(contents(scene, out), ElementsAre(2, 2, 9, 9));
}

TEST(KernelLaunch, TexturesAndConstantsAreRead) {
    ComputeScene scene;
    const std::uint32_t texture = scene.texture(67, 2, 1, {0xff0000ffU, 0xffffffffU});  // red, white
    const std::uint32_t out = scene.buffer(WordList(2, 0));
    scene.program(linear_program(2, "DCL BUFFER[0]\nDCL CONST[0]\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\n",
                                 R"(MOV TEMP[2], IMM[0].zzzz
MOV TEMP[2].x, SV[0].xxxx
TXF TEMP[3], TEMP[2], SAMP[0], 2D
MUL TEMP[3].x, TEMP[3].yyyy, CONST[0].xxxx
STORE BUFFER[0].x, TEMP[1].xxxx, TEMP[3].xxxx
)"));
    scene.commands.create(ObjectType::sampler_view, {50, texture, 67, 0, 0, 0U | 1U << 3 | 2U << 6 | 3U << 9})
        .create(ObjectType::sampler_state, {51, 2U | 2U << 3 | 2U << 11, 0, 0, word(1000), 0, 0, 0, 0})
        .add(VirglCommand::set_sampler_views, {ComputeScene::stage, 0, 50})
        .add(VirglCommand::bind_sampler_states, {ComputeScene::stage, 0, 51})
        .add(VirglCommand::set_constant_buffer, {ComputeScene::stage, 0, word(3), 0, 0, 0});
    scene.bind_buffer(0, out, 8);
    scene.launch({2, 1, 1}, {1, 1, 1});
    EXPECT_THAT(contents(scene, out), ElementsAre(word(0), word(3)));
}

const std::string image_program =
    "DCL IMAGE[0], 2D, PIPE_FORMAT_R8G8B8A8_UNORM, WR\nDCL IMAGE[1], 2D, PIPE_FORMAT_R32_FLOAT, WR\n"
    "IMM[1] FLT32 {0.5, 1.0, 0.0, 0.0}\n";

TEST(KernelLaunch, ImagesConvertTexelsAndDropWhatLiesOutside) {
    ComputeScene scene;
    const std::uint32_t bytes = scene.texture(67, 2, 1, {0, 0}), floats = scene.texture(28, 2, 1, {word(2), word(3)});
    scene.program(linear_program(3, image_program, R"(MOV TEMP[2], IMM[0].zzzz
MOV TEMP[2].x, SV[0].xxxx
LOAD TEMP[3], IMAGE[1], TEMP[2], 2D, PIPE_FORMAT_R32_FLOAT
MUL TEMP[3].x, TEMP[3].xxxx, IMM[1].xxxx
STORE IMAGE[0], TEMP[2], IMM[1].yxzy, RESTRICT, 2D, PIPE_FORMAT_R8G8B8A8_UNORM
STORE IMAGE[1], TEMP[2], TEMP[3], 2D, PIPE_FORMAT_R32_FLOAT
)"));
    scene.bind_image(0, bytes, 67);
    scene.bind_image(1, floats, 28, 0, 0x42415200);  // above the level there may be anything
    scene.launch({3, 1, 1}, {1, 1, 1});
    EXPECT_THAT(contents(scene, bytes), ElementsAre(0xff0080ffU, 0xff0080ffU));
    EXPECT_THAT(contents(scene, floats), ElementsAre(word(1), word(1.5F)));
}

TEST(KernelLaunch, ImagesTellTheirSize) {
    ComputeScene scene;
    const std::uint32_t image = scene.texture(67, 5, 3, {}), out = scene.buffer({0, 0});
    scene.program(linear_program(1, "DCL BUFFER[0]\nDCL IMAGE[0], 2D, PIPE_FORMAT_NONE, WR\n",
                                 R"(RESQ TEMP[2].xy, IMAGE[0], 2D, PIPE_FORMAT_NONE
STORE BUFFER[0].xy, IMM[0].zzzz, TEMP[2]
)"));
    scene.bind_image(0, image, 67);
    scene.bind_buffer(0, out, 8);
    scene.launch({1, 1, 1}, {1, 1, 1});
    EXPECT_THAT(contents(scene, out), ElementsAre(5, 3));
}

TEST(KernelLaunch, WhatIsNotSupportedIsRefusedByName) {
    const auto with = [](const std::string& program, std::array<std::uint32_t, 3> block,
                         std::array<std::uint32_t, 3> grid) {
        ComputeScene scene;
        if (!program.empty()) scene.program(program);
        scene.launch(block, grid);
        return refusal(scene);
    };
    const std::string plain = linear_program(8, "", "");
    EXPECT_THAT(with("", {8, 1, 1}, {1, 1, 1}), HasSubstr("LAUNCH_GRID: a launch without a compute shader"));
    EXPECT_THAT(with(plain, {4, 1, 1}, {1, 1, 1}), HasSubstr("blocks of 4x1x1 threads of a program for 8x1x1"));
    EXPECT_THAT(with(plain, {2048, 1, 1}, {1, 1, 1}), HasSubstr("a block of 2048x1x1 threads is not supported"));
    EXPECT_THAT(with(plain, {8, 1, 1}, {65535, 65535, 1}), HasSubstr("a grid of 65535x65535x1 blocks"));
    EXPECT_THAT(with(linear_program(8, "DCL HWATOMIC[0]\n", ""), {8, 1, 1}, {1, 1, 1}), HasSubstr("atomic counters"));
    EXPECT_THAT(with(linear_program(8, "", "STORE BUFFER[0].x, TEMP[0].xxxx, TEMP[0].xxxx\n"), {8, 1, 1}, {1, 1, 1}),
                HasSubstr("BUFFER[0] is not declared"));
}

TEST(KernelLaunch, ImagesOfAnotherKindAreRefused) {
    ComputeScene scene;
    const std::uint32_t buffer = scene.buffer({1});
    scene.program(linear_program(1, image_program, "STORE IMAGE[0], IMM[0].zzzz, IMM[1], 2D, PIPE_FORMAT_NONE\n"));
    scene.bind_image(0, buffer, 67);
    scene.launch({1, 1, 1}, {1, 1, 1});
    EXPECT_THAT(refusal(scene), HasSubstr("the program has a 2D image in slot 0, which holds a buffer texture"));
}

// Odd threads read one buffer and even threads the other, each at its number.
TEST(KernelLaunch, ConstantBuffersMayBeComputed) {
    ComputeScene scene;
    const std::uint32_t out = scene.buffer(WordList(16, 0));
    for (const std::uint32_t slot : {1U, 2U}) {
        WordList words{ComputeScene::stage, slot};
        for (std::uint32_t i = 0; i < 64; ++i) words.push_back(1000 * slot + i);
        scene.commands.add(VirglCommand::set_constant_buffer, words);
    }
    scene.program(linear_program(16, "DCL BUFFER[0]\nDCL CONST[1][0..15]\nDCL CONST[2][0..15]\nDCL ADDR[1]\n",
                                 R"(AND TEMP[2].x, SV[0].xxxx, IMM[0].yyyy
UARL ADDR[1].x, TEMP[2].xxxx
UARL ADDR[0].x, SV[0].xxxx
STORE BUFFER[0].x, TEMP[1].xxxx, CONST[ADDR[1].x+1][ADDR[0].x].zzzz
)"));
    scene.bind_buffer(0, out, 64);
    scene.launch({16, 1, 1}, {1, 1, 1});
    const WordList computed = contents(scene, out);
    for (std::uint32_t i = 0; i < 16; ++i) EXPECT_EQ(computed[i], 1000 * (1 + i % 2) + 4 * i + 2) << i;
}

}  // namespace
}  // namespace models::functional
