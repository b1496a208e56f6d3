#include "models/core/export_buffer.h"

#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace models {
namespace {

TEST(ExportBuffer, LetsWarpsGoInTheOrderInWhichTheyCameHoweverTheyFinish) {
    std::mt19937 random(3);
    constexpr std::size_t resident = 4, entries = 3;
    ExportBuffer<int> buffer(resident, entries);
    std::vector<std::uint32_t> running;
    int next = 0, expected = 0;
    for (int step = 0; step < 20000; ++step) {
        if (running.size() < resident && random() % 2 == 0) running.push_back(buffer.push(next++));
        if (!running.empty() && random() % 2 == 0) {
            const std::size_t which = random() % running.size();
            // A name counts by its low 31 bits.
            if (buffer.has_room_for(running[which] & 0x7fffffffU)) {
                buffer.finish(running[which]);
                running.erase(running.begin() + static_cast<std::ptrdiff_t>(which));
            }
        }
        if (buffer.is_ready() && random() % 2 == 0) {
            ASSERT_EQ(buffer.front(), expected++);
            buffer.pop();
        }
    }
    EXPECT_GT(expected, 1000);
}

TEST(ExportBuffer, HoldsSoManyFinishedWarpsAndAlwaysTheOldest) {
    ExportBuffer<int> buffer(4, 2);
    std::vector<std::uint32_t> names;
    for (int i = 0; i < 4; ++i) names.push_back(buffer.push(i));
    buffer.finish(names[3]);
    EXPECT_TRUE(buffer.has_room_for(names[2]));
    buffer.finish(names[2]);
    EXPECT_FALSE(buffer.has_room_for(names[1]));
    EXPECT_TRUE(buffer.has_room_for(names[0]));
    EXPECT_FALSE(buffer.is_ready());
    buffer.finish(names[0]);
    EXPECT_TRUE(buffer.is_ready());
    buffer.pop();
    EXPECT_TRUE(buffer.has_room_for(names[1]));  // is the oldest now
}

// It may be handed on for many cycles.
TEST(ExportBuffer, HoldsSoManyBesideTheOldestAlsoWhenThatHasFinished) {
    ExportBuffer<int> buffer(4, 1);
    std::vector<std::uint32_t> names;
    for (int i = 0; i < 4; ++i) names.push_back(buffer.push(i));
    buffer.finish(names[0]);
    EXPECT_TRUE(buffer.has_room_for(names[1]));
    EXPECT_TRUE(buffer.has_room_for(names[2]));
    buffer.finish(names[2]);
    EXPECT_FALSE(buffer.has_room_for(names[1]));
    buffer.pop();
    EXPECT_TRUE(buffer.has_room_for(names[1]));  // is the oldest now
    EXPECT_FALSE(buffer.has_room_for(names[3]));
    buffer.finish(names[1]);
    buffer.pop();
    EXPECT_EQ(buffer.front(), 2);
    EXPECT_TRUE(buffer.has_room_for(names[3]));  // the one that waited is the oldest
}

TEST(ExportBuffer, WithoutEntriesIsLeftOnlyByTheOldest) {
    ExportBuffer<int> buffer(2, 0);
    const auto first = buffer.push(1), second = buffer.push(2);
    EXPECT_FALSE(buffer.has_room_for(second));
    EXPECT_TRUE(buffer.has_room_for(first));
    buffer.finish(first);
    buffer.pop();
    EXPECT_TRUE(buffer.has_room_for(second));
    buffer.finish(second);
    buffer.pop();
    EXPECT_TRUE(buffer.is_empty());
}

}  // namespace
}  // namespace models
