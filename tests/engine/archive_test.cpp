#include "engine/archive.h"

#include <gtest/gtest.h>

namespace engine {
namespace {

struct Plain {
    std::int32_t a, b;
    bool operator==(const Plain&) const = default;
};
enum class Colour : std::uint8_t { red, green };

struct Everything {
    int number = 0;
    double real = 0;
    bool flag = false;
    Colour colour = Colour::red;
    Plain plain{};
    std::string text;
    std::vector<Plain> list;
    std::vector<bool> flags;
    std::deque<std::string> queue;
    std::array<std::optional<int>, 2> maybe;
    std::map<int, std::vector<int>> map;
    std::pair<int, std::string> pair;
    bool operator==(const Everything&) const = default;

    void serialize(Archive& archive) {
        archive(number, real, flag, colour, plain, text, list, flags, queue, maybe, map, pair);
    }
};

Everything sample() {
    return {7,
            1.5,
            true,
            Colour::green,
            {1, -2},
            "text",
            {{3, 4}, {5, 6}},
            {true, false, true},
            {"a", "b"},
            {{{}, 9}},
            {{1, {2, 3}}, {-4, {}}},
            {8, "pair"}};
}

std::vector<std::byte> written(Everything value) {
    std::vector<std::byte> bytes;
    Archive archive(&bytes);
    archive(value);
    return bytes;
}

TEST(Archive, ReadsWhatItWroteIntoWhateverWasThere) {
    const std::vector<std::byte> bytes = written(sample());
    Everything value{1, 2, false, Colour::red, {}, "other", {{}}, {}, {"x"}, {{1, {}}}, {{5, {}}}, {}};
    Archive archive(bytes);
    archive(value);
    EXPECT_EQ(value, sample());
    EXPECT_TRUE(archive.is_at_end());
}

TEST(Archive, RefusesWhatBreaksOff) {
    const std::vector<std::byte> bytes = written(sample());
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        Everything value;
        Archive archive{std::span<const std::byte>(bytes).first(size)};
        EXPECT_THROW(archive(value), InputError) << size;
    }
}

TEST(Archive, DoesNotBelieveACountThatCannotBe) {
    std::vector<std::byte> bytes(8, std::byte{0x7f});
    std::vector<Plain> list;
    Archive archive(bytes);
    EXPECT_THROW(archive(list), InputError);
    EXPECT_TRUE(list.empty());
}

}  // namespace
}  // namespace engine
