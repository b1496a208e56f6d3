#include "io/line_words.h"

#include <algorithm>
#include <charconv>

#include "engine/error.h"
#include "io/printable.h"

namespace io {

LineWords::LineWords(const LineReader& lines, std::string_view line) : lines_(&lines), end_(line.size() + 1) {
    if (line.size() > LineReader::longest)
        refuse(LineReader::longest + 1, "the end of the line", line.substr(LineReader::longest));
    for (std::size_t at = 0; count_ < most; ++count_) {
        at = line.find_first_not_of(" \t", at);
        if (at == std::string_view::npos) break;
        const std::size_t end = std::min(line.find_first_of(" \t", at), line.size());
        words_[count_] = {line.substr(at, end - at), at + 1};
        at = end;
    }
}

std::uint64_t LineWords::number(std::size_t index, Number form, const std::string& expected) const {
    if (index >= count_) refuse(index, expected);
    const std::string_view text = words_[index].text;
    const bool has_prefix = text.starts_with("0x") || text.starts_with("0X");
    const bool is_hexadecimal = has_prefix || form == Number::hexadecimal;
    const char* const end = text.data() + text.size();
    std::uint64_t value = 0;
    const auto [rest, error] =
        std::from_chars(text.data() + (has_prefix ? 2 : 0), end, value, is_hexadecimal ? 16 : 10);
    if (error != std::errc{} || rest != end) refuse(index, expected);
    return value;
}

bool LineWords::choice(std::size_t index, std::string_view first, std::string_view second) const {
    const bool is_second = index < count_ && words_[index].text == second;
    if (!is_second && (index >= count_ || words_[index].text != first))
        refuse(index, std::string(first) + " or " + std::string(second));
    return is_second;
}

void LineWords::expect_end_after(std::size_t words) const {
    if (count_ > words) refuse(words, "the end of the line");
}

void LineWords::refuse(std::size_t index, const std::string& expected) const {
    if (index >= count_) refuse(end_, expected, "the end of the line");
    refuse(words_[index].column, expected, words_[index].text);
}

void LineWords::refuse(std::size_t column, const std::string& expected, std::string_view found) const {
    constexpr std::size_t shown = 40;
    throw engine::InputError(lines_->path().string() + ":" + std::to_string(lines_->number()) + ":" +
                             std::to_string(column) + ": expected " + expected + ", found " +
                             printable(std::string(found.substr(0, shown)) + (found.size() > shown ? "..." : "")));
}

}  // namespace io
