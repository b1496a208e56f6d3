// A line of a text in words, which blanks and tabs part, and how what is wrong with one of them is told.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "io/line_reader.h"

namespace io {

class LineWords {
  public:
    static constexpr std::size_t most = 4;  // further ones are not looked at

    // Of the line that `lines` has just read. Throws InputError if it is too long.
    LineWords(const LineReader& lines, std::string_view line);

    std::size_t count() const { return count_; }
    std::string_view operator[](std::size_t index) const { return words_[index].text; }  // one that is there

    // Throw InputError, "FILE:LINE:COLUMN: expected ..., found ...", also for a word that is not there.
    enum class Number : std::uint8_t { decimal_or_0x, hexadecimal };
    std::uint64_t number(std::size_t index, Number form, const std::string& expected) const;
    // One of two words: false for the first, true for the second.
    bool choice(std::size_t index, std::string_view first, std::string_view second) const;
    void expect_end_after(std::size_t words) const;
    [[noreturn]] void refuse(std::size_t index, const std::string& expected) const;

  private:
    struct Word {
        std::string_view text;
        std::size_t column = 1;
    };
    [[noreturn]] void refuse(std::size_t column, const std::string& expected, std::string_view found) const;

    const LineReader* lines_;
    std::array<Word, most> words_;
    std::size_t count_ = 0;
    std::size_t end_;  // column behind the line
};

}  // namespace io
