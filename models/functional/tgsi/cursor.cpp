#include "models/functional/tgsi/cursor.h"

#include <algorithm>

#include "engine/error.h"

namespace models::functional::tgsi {
namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_word(char c) {
    return is_digit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}
bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

}  // namespace

void Cursor::skip_blanks() {
    while (position_ < text_.size() && is_blank(text_[position_])) ++position_;
}

void Cursor::skip_empty_lines() {
    while (position_ < text_.size() && (is_blank(text_[position_]) || text_[position_] == '\n')) ++position_;
}

void Cursor::end_statement() {
    if (!at_end_of_line()) fail_expected("the end of the line");
    skip_empty_lines();
}

bool Cursor::at_end_of_line() {
    return peek() == '\0';
}

char Cursor::peek() {
    skip_blanks();
    return at_end() || text_[position_] == '\n' ? '\0' : text_[position_];
}

bool Cursor::take(char wanted) {
    if (peek() != wanted) return false;
    ++position_;
    return true;
}

void Cursor::expect(char wanted) {
    if (!take(wanted)) fail_expected(std::string{'\'', wanted, '\''});
}

std::string_view Cursor::word() {
    skip_blanks();
    const std::size_t start = position_;
    while (position_ < text_.size() && is_word(text_[position_])) ++position_;
    if (position_ == start) fail_expected("a name");
    return text_.substr(start, position_ - start);
}

std::string_view Cursor::line() {
    skip_blanks();
    const std::size_t start = position_;
    position_ = std::min(text_.find('\n', start), text_.size());
    return text_.substr(start, position_ - start);
}

std::uint32_t Cursor::number(std::uint32_t most, std::string_view what) {
    if (!is_digit(peek())) fail_expected(what);
    const std::size_t start = position_;
    std::uint64_t value = 0;
    while (position_ < text_.size() && is_digit(text_[position_])) {
        value = value * 10 + static_cast<std::uint64_t>(text_[position_] - '0');
        if (value > most) fail(start, "expected " + std::string(what) + " of at most " + std::to_string(most));
        ++position_;
    }
    return static_cast<std::uint32_t>(value);
}

std::int64_t Cursor::integer() {
    const bool minus = take('-');
    if (!minus) take('+');
    const std::int64_t magnitude = number(0xffffffff, "a number");
    return minus ? -magnitude : magnitude;
}

std::string Cursor::found() {
    const char next = peek();
    if (next == '\0') return at_end() ? "the end of the text" : "the end of the line";
    std::size_t end = position_ + 1;
    if (is_word(next))
        while (end < text_.size() && is_word(text_[end]) && end - position_ < 40) ++end;
    std::string token = "'";
    for (std::size_t i = position_; i < end; ++i) token += text_[i] >= ' ' && text_[i] < 127 ? text_[i] : '?';
    return token + "'";
}

void Cursor::fail_expected(std::string_view expected) {
    const std::string what = found();
    fail(position_, "expected " + std::string(expected) + ", found " + what);
}

void Cursor::fail(std::size_t position, const std::string& message) const {
    const std::string_view before = text_.substr(0, position);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t start = before.rfind('\n') + 1;  // npos + 1 is 0
    throw engine::InputError("TGSI " + std::to_string(line) + ":" + std::to_string(position - start + 1) + ": " +
                             message);
}

void Cursor::unsupported(std::size_t position, std::string_view name, std::string_view reason) const {
    fail(position, std::string(name) + " is not supported (" + std::string(reason) + ")");
}

}  // namespace models::functional::tgsi
