#include "models/functional/read_back.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/functional/pipeline/compute_scene.h"

namespace models::functional {
namespace {

ReadBackCheck compared(const WordList& made, const WordList& recorded) {
    return compare_read_back(bytes_of(made), bytes_of(recorded));
}

TEST(ReadBack, EqualBytesAreRight) {
    const ReadBackCheck check = compared({1, 2, 3}, {1, 2, 3});
    EXPECT_TRUE(check.right());
    EXPECT_EQ(check.bytes, 12U);
    EXPECT_EQ(check.different, 0U);
}

TEST(ReadBack, FloatsAreRightWithinAMillionthOfTheLargest) {
    EXPECT_TRUE(compared({word(1.0000001F), word(4)}, {word(1), word(4)}).right());
    const ReadBackCheck off = compared({word(1.001F), word(4)}, {word(1), word(4)});
    EXPECT_FALSE(off.right());
    EXPECT_EQ(off.different, 1U);
    EXPECT_NEAR(off.largest_difference, 0.001 / 4, 1e-7);
}

TEST(ReadBack, IntegersAreRightOnlyWhenEqual) {
    EXPECT_FALSE(compared({1'000'000}, {1'000'001}).right());
    EXPECT_FALSE(compared({0}, {1}).right());
}

TEST(ReadBack, AReplyThatIsTooShortIsNone) {
    EXPECT_FALSE(compared({1, 2}, {1}).present);
}

const std::string store_numbers =
    linear_program(4, "DCL BUFFER[0]\n", "STORE BUFFER[0].x, TEMP[1].xxxx, TEMP[0].xxxx\n");

ComputeScene numbers(const WordList& first, const WordList& second) {
    ComputeScene scene;
    const std::uint32_t out = scene.buffer(WordList(8, 0));
    scene.program(store_numbers);
    scene.bind_buffer(0, out, 32);
    scene.launch({4, 1, 1}, {1, 1, 1});
    scene.read_back(out, first);
    scene.launch({4, 1, 1}, {2, 1, 1});
    scene.read_back(out, second);
    return scene;
}

TEST(ReadBack, AFrameWithoutAPictureIsCheckedByTheBytesRead) {
    const ComputeScene scene = numbers({0, 1, 2, 3, 0, 0, 0, 0}, {0, 1, 2, 3, 4, 5, 6, 6});
    FunctionalRenderer renderer(scene.stream.bytes(), {.threads = 1});
    Frame frame;
    Image image;
    ASSERT_TRUE(renderer.next_frame(&frame, &image, nullptr));
    EXPECT_TRUE(image.empty());
    EXPECT_EQ(renderer.kernels(), 1U);
    ASSERT_EQ(renderer.read_backs().size(), 1U);
    EXPECT_TRUE(renderer.read_backs()[0].right());
    ASSERT_TRUE(renderer.next_frame(&frame, &image, nullptr));
    EXPECT_EQ(renderer.read_backs().at(0).different, 1U);
    EXPECT_FALSE(renderer.next_frame(&frame, &image, nullptr));
}

}  // namespace
}  // namespace models::functional
