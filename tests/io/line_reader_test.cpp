#include "io/line_reader.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/io/temporary_folder.h"

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class LineReaderTest : public testing::Test {
  protected:
    std::vector<std::string> lines(const std::string& text) {
        std::ofstream(path_, std::ios::binary) << text;
        io::LineReader reader(path_);
        std::vector<std::string> all;
        for (std::string_view line; reader.next(line);) {
            all.emplace_back(line);
            EXPECT_EQ(reader.number(), all.size());
        }
        return all;
    }
    tests::TemporaryFolder folder_;
    std::filesystem::path path_ = folder_ / "text";
};

TEST_F(LineReaderTest, EndsOfLinesAreNoPartOfThem) {
    EXPECT_THAT(lines(""), IsEmpty());
    EXPECT_THAT(lines("\n"), ElementsAre(""));
    EXPECT_THAT(lines("a\n\nb c\r\nd"), ElementsAre("a", "", "b c", "d"));
    EXPECT_THAT(lines("a\r"), ElementsAre("a"));
}

TEST_F(LineReaderTest, LinesMayBePartedByBlocks) {
    std::string text;
    std::vector<std::string> expected;
    for (int i = 0; i < 5000; ++i) {
        expected.push_back(std::string(static_cast<std::size_t>(i % 1009), 'x') + std::to_string(i));
        text += expected.back() + "\n";
    }
    ASSERT_GT(text.size(), std::size_t{2} << 20);
    EXPECT_EQ(lines(text), expected);
    const std::string block((std::size_t{1} << 20) - 2, '\n');  // a file of whole blocks, ends at their ends
    EXPECT_EQ(lines(block + "a\n").size(), block.size() + 1);
    EXPECT_EQ(lines(block + "a\nb").back(), "b");
    EXPECT_EQ(lines(block + "abc\n").back(), "abc");
}

TEST_F(LineReaderTest, OfALineThatIsTooLongItTellsTheBeginning) {
    const std::size_t longest = io::LineReader::longest;
    EXPECT_EQ(lines(std::string(longest, 'x')).front().size(), longest);
    EXPECT_EQ(lines(std::string(longest + 1, 'x') + "\nb").front().size(), longest + 1);
    EXPECT_EQ(lines("a\n" + std::string(3 << 20, 'x'))[1].size(), longest + 1);
}

TEST_F(LineReaderTest, NeedsAFile) {
    EXPECT_THROW(io::LineReader(folder_ / "absent"), engine::IoError);
    EXPECT_THROW(io::LineReader(folder_.path()), engine::IoError);
}

}  // namespace
