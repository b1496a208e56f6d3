#include "models/memory/home/directory.h"

#include <algorithm>
#include <list>
#include <map>
#include <optional>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "engine/counter_rng.h"

namespace models {
namespace {

TEST(Directory, KnowsTheOneOwnerUntilThatEvictsTheLine) {
    Directory directory({4, 2});
    EXPECT_EQ(directory.look_up(5), no_core);
    EXPECT_EQ(directory.take(3, 5, 0).line, none);
    EXPECT_EQ(directory.look_up(5), 3);
    EXPECT_EQ(directory.look_up(5), 3);        // whoever asks, and however often
    EXPECT_FALSE(directory.evicted(2, 5, 1));  // does not have it
    EXPECT_FALSE(directory.evicted(3, 9, 1));  // of the same set
    EXPECT_EQ(directory.look_up(5), 3);
    EXPECT_TRUE(directory.evicted(3, 5, 1));
    EXPECT_EQ(directory.look_up(5), no_core);
    EXPECT_EQ(directory.take(1, 5, 0).line, none);  // it has moved to another cache
    EXPECT_EQ(directory.look_up(5), 1);
}

TEST(Directory, RecallsTheLineThatWasLookedUpLongestAgo) {
    Directory directory({1, 2});
    directory.take(7, 10, 0);
    directory.take(8, 11, 0);
    EXPECT_EQ(directory.look_up(10), 7);
    const Directory::Entry recalled = directory.take(9, 12, 0);
    EXPECT_EQ(recalled.line, 11U);
    EXPECT_EQ(recalled.owner, 8);
    EXPECT_EQ(directory.look_up(11), no_core);
    EXPECT_FALSE(directory.evicted(8, 11, 1));  // what the owner says of it when it is recalled
    directory.evicted(7, 10, 1);
    EXPECT_EQ(directory.take(8, 13, 0).line, none);  // there is a free place
}

TEST(Directory, OfASliceUsesAllItsSets) {
    Directory directory({2, 1, 8});  // every eighth line
    EXPECT_EQ(directory.take(0, 3, 0).line, none);
    EXPECT_EQ(directory.take(1, 11, 0).line, none);
    EXPECT_EQ(directory.take(2, 19, 0).line, 3U);
}

// Slices take turns by lines of two blocks: blocks 0 and 1, 16 and 17, ... are the first one's of eight.
TEST(Directory, OfASliceWithLongLinesUsesAllItsSets) {
    Directory directory({4, 1, 8, 2});
    for (const LineNumber block : {0U, 1U, 16U, 17U}) EXPECT_EQ(directory.take(0, block, 0).line, none) << block;
    EXPECT_EQ(directory.take(1, 32, 0).line, 0U);
    EXPECT_EQ(directory.take(1, 49, 0).line, 17U);
}

// By set a list of (line, owner), the one that was looked up last first.
class SlowDirectory {
  public:
    explicit SlowDirectory(const DirectoryShape& shape) : shape_(shape) {}
    int look_up(LineNumber line) {
        auto& set = sets_[line / shape_.stride % shape_.sets];
        const auto found = find(set, line);
        if (found == set.end()) return no_core;
        set.splice(set.begin(), set, found);
        return found->second;
    }
    std::optional<std::pair<LineNumber, int>> take(int core, LineNumber line) {
        auto& set = sets_[line / shape_.stride % shape_.sets];
        std::optional<std::pair<LineNumber, int>> old;
        if (set.size() == shape_.ways) {
            old = set.back();
            set.pop_back();
        }
        set.emplace_front(line, core);
        return old;
    }
    bool evicted(int core, LineNumber line) {
        auto& set = sets_[line / shape_.stride % shape_.sets];
        const auto found = find(set, line);
        if (found == set.end() || found->second != core) return false;
        set.erase(found);
        return true;
    }

  private:
    using Set = std::list<std::pair<LineNumber, int>>;
    static Set::iterator find(Set& set, LineNumber line) {
        return std::find_if(set.begin(), set.end(), [&](const auto& entry) { return entry.first == line; });
    }
    DirectoryShape shape_;
    std::map<std::uint32_t, Set> sets_;
};

void compare(const DirectoryShape& shape, std::uint32_t cores, int accesses) {
    Directory directory(shape);
    SlowDirectory slow(shape);
    engine::CounterRng random(3, shape.ways);
    const std::uint32_t lines = 2 * shape.sets * shape.ways;
    for (int i = 0; i < accesses; ++i) {
        const LineNumber line = random.below(lines) * shape.stride;
        const auto core = static_cast<CoreNumber>(random.below(cores));
        if (random.below(4) == 0) {
            ASSERT_EQ(directory.evicted(core, line, 1), slow.evicted(core, line)) << "access " << i;
            continue;
        }
        const CoreNumber owner = directory.look_up(line);
        ASSERT_EQ(owner, slow.look_up(line)) << "access " << i;
        if (owner != no_core) continue;
        const Directory::Entry old = directory.take(core, line, 0);
        const auto slow_old = slow.take(core, line);
        ASSERT_EQ(old.line != none, slow_old.has_value()) << "access " << i;
        if (slow_old) {
            ASSERT_EQ(std::pair(old.line, int{old.owner}), *slow_old) << "access " << i;
        }
    }
}

TEST(Directory, IsTheSlowOneOverAMillionAccesses) {
    compare({16, 8, 8}, 32, 1'000'000);
}
TEST(Directory, IsTheSlowOneInItsCorners) {
    compare({1, 1}, 1, 100'000);
    compare({1, 64}, 64, 200'000);
    compare({64, 1, 3}, 2, 100'000);
}

TEST(Directory, GoesOnFromItsStateAsIfItHadNotBeenSaved) {
    Directory directory({4, 4}), other({4, 4});
    engine::CounterRng random(4, 0);
    const auto play = [](Directory& into, engine::CounterRng with) {
        std::vector<std::uint32_t> seen;
        for (int i = 0; i < 500; ++i) {
            const LineNumber line = with.below(40);
            seen.push_back(into.look_up(line));
            if (seen.back() == no_core) seen.push_back(into.take(static_cast<CoreNumber>(i % 5), line, 0).line);
        }
        return seen;
    };
    play(directory, random);
    std::vector<std::byte> bytes;
    engine::Archive writing(&bytes);
    directory.serialize(writing);
    engine::Archive reading{std::span<const std::byte>(bytes)};
    other.serialize(reading);
    EXPECT_TRUE(reading.is_at_end());
    EXPECT_EQ(play(directory, random), play(other, random));
}

}  // namespace
}  // namespace models
