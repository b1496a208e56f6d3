#include "models/structures/family.h"

#include <gtest/gtest.h>

namespace models {
namespace {

struct Adds {
    static constexpr std::string_view name = "adds";
    Adds(int by, int /*unused*/) : by_(by) {}
    int operator()(int to) { return to + by_ + calls_++; }
    void serialize(engine::Archive& archive) { archive(calls_); }
    int by_, calls_ = 0;
};
struct Multiplies {
    static constexpr std::string_view name = "multiplies";
    Multiplies(int by, int again) : by_(by * again) {}
    int operator()(int with) { return with * by_; }
    void serialize(engine::Archive& /*archive*/) {}
    int by_;
};
using Operation = Family<Adds, Multiplies>;

int apply(Operation& operation, int to) {
    return operation.visit([&](auto& member) { return member(to); });
}

TEST(Family, MakesTheMemberOfTheNumberWithTheArgumentsOfAll) {
    Operation adds(0, 5, 2), multiplies(1, 5, 2);
    EXPECT_EQ(apply(adds, 7), 12);
    EXPECT_EQ(apply(multiplies, 7), 70);
}

TEST(Family, NamesItsMembersAsOptionsInTheirOrder) {
    const auto options = options_of<Operation>();
    ASSERT_EQ(options.size(), 2U);
    EXPECT_EQ(options[0].name, "adds");
    EXPECT_EQ(options[0].value, 0U);
    EXPECT_EQ(options[1].name, "multiplies");
    EXPECT_EQ(options[1].value, 1U);
}

TEST(Family, SavesTheStateOfTheMemberItHas) {
    Operation adds(0, 5, 2), other(0, 5, 2);
    apply(adds, 0);
    apply(adds, 0);
    std::vector<std::byte> bytes;
    engine::Archive writer(&bytes);
    writer(adds);
    engine::Archive reader{std::span<const std::byte>(bytes)};
    reader(other);
    EXPECT_EQ(apply(other, 0), 5 + 2);
}

}  // namespace
}  // namespace models
