#include "io/line_words.h"

#include <fstream>
#include <functional>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/io/temporary_folder.h"

namespace {

using io::LineWords;
using Number = LineWords::Number;

class LineWordsTest : public testing::Test {
  protected:
    LineWords words(std::string_view line) {
        std::string_view blank;
        reader_.next(blank);
        return {reader_, line};
    }
    // What is refused of the first line, after its number.
    std::string error(const std::function<void()>& ask) {
        const std::string start = path_.string() + ":1:";
        try {
            ask();
        } catch (const engine::InputError& error) {
            EXPECT_TRUE(std::string(error.what()).starts_with(start)) << error.what();
            return std::string(error.what()).substr(start.size());
        }
        return "";
    }
    tests::TemporaryFolder folder_;
    std::filesystem::path path_ = folder_ / "text";
    io::LineReader reader_{(std::ofstream(path_) << "\n\n", path_)};
};

TEST_F(LineWordsTest, ArePartedByBlanksAndTabs) {
    const LineWords line = words("  a\t bc \t");
    ASSERT_EQ(line.count(), 2U);
    EXPECT_EQ(line[0], "a");
    EXPECT_EQ(line[1], "bc");
    EXPECT_EQ(words(" \t").count(), 0U);
    EXPECT_EQ(words("a b c d e f").count(), LineWords::most);
}

TEST_F(LineWordsTest, AreNumbersInTheFormThatIsAskedFor) {
    const LineWords line = words("10 0x10 ff -1");
    EXPECT_EQ(line.number(0, Number::decimal_or_0x, ""), 10U);
    EXPECT_EQ(line.number(0, Number::hexadecimal, ""), 16U);
    EXPECT_EQ(line.number(1, Number::decimal_or_0x, ""), 16U);
    EXPECT_EQ(line.number(1, Number::hexadecimal, ""), 16U);
    EXPECT_EQ(line.number(2, Number::hexadecimal, ""), 255U);
    EXPECT_EQ(error([&] { line.number(2, Number::decimal_or_0x, "a size"); }), "9: expected a size, found ff");
    EXPECT_EQ(error([&] { line.number(3, Number::hexadecimal, "a size"); }), "12: expected a size, found -1");
    EXPECT_EQ(error([&] { line.number(4, Number::hexadecimal, "a size"); }),
              "14: expected a size, found the end of the line");
}

TEST_F(LineWordsTest, AreOneOfTwo) {
    const LineWords line = words("no yes maybe");
    EXPECT_FALSE(line.choice(0, "no", "yes"));
    EXPECT_TRUE(line.choice(1, "no", "yes"));
    EXPECT_EQ(error([&] { line.choice(2, "no", "yes"); }), "8: expected no or yes, found maybe");
    EXPECT_EQ(error([&] { line.choice(3, "no", "yes"); }), "13: expected no or yes, found the end of the line");
    line.expect_end_after(3);
    EXPECT_EQ(error([&] { line.expect_end_after(1); }), "4: expected the end of the line, found yes");
}

TEST_F(LineWordsTest, AreShownInPart) {
    const std::string text(41, 'x');
    const LineWords line = words(text);
    EXPECT_EQ(error([&] { line.refuse(0, "less"); }), "1: expected less, found " + std::string(40, 'x') + "...");
}

}  // namespace
