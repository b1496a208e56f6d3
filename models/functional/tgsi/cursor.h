// A position in TGSI text, with the small readers the parser is made of. Statements are lines; blanks separate words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace models::functional::tgsi {

class Cursor {
  public:
    explicit Cursor(std::string_view text) : text_(text) {}

    bool at_end() const { return position_ >= text_.size(); }  // of the text
    void skip_empty_lines();
    void end_statement();  // expects the end of the line and goes to the next

    // Each skips blanks first.
    bool at_end_of_line();
    char peek();             // '\0' at the end of the line
    bool take(char wanted);  // true and gone past it, if it is next
    void expect(char wanted);
    std::string_view word();  // letters, digits and '_'; expects at least one
    std::string_view line();  // the rest of the line
    std::uint32_t number(std::uint32_t most, std::string_view what);
    std::int64_t integer();  // with an optional sign

    std::size_t position() const { return position_; }
    void go_to(std::size_t position) { position_ = position; }

    // Throw engine::InputError with line and column: of the current position, or of `position`.
    [[noreturn]] void fail_expected(std::string_view expected);
    [[noreturn]] void fail(std::size_t position, const std::string& message) const;
    [[noreturn]] void unsupported(std::size_t position, std::string_view name, std::string_view reason) const;

  private:
    void skip_blanks();
    std::string found();

    std::string_view text_;
    std::size_t position_ = 0;
};

}  // namespace models::functional::tgsi
