#include "io/toml_scan.h"

#include <algorithm>

namespace io {

namespace {

constexpr std::size_t most_key_parts = 16;

bool is_beyond_ascii(char c) {
    return static_cast<unsigned char>(c) >= 0x80;
}

class TomlScan {
  public:
    explicit TomlScan(std::string_view toml) : toml_(toml), at_(toml.starts_with("\xef\xbb\xbf") ? 3 : 0) {}

    std::optional<TomlTrouble> run() {
        while (at_ < toml_.size() && !trouble_) next();
        return trouble_;
    }

  private:
    bool starts(std::string_view text) const { return toml_.substr(at_).starts_with(text); }

    void next() {
        const char c = toml_[at_];
        if (starts("\"\"\"") || starts("'''"))
            skip_lines(c);
        else if (c == '"' || c == '\'')
            skip_line_of_text(c);
        else if (c == '#')
            at_ = std::min(toml_.find('\n', at_), toml_.size());
        else
            take_bare(c);
    }

    void take_bare(char c) {
        if (is_beyond_ascii(c))
            trouble_ = {at_, "a character beyond ASCII outside of comments and texts"};
        else if (c == '.') {
            if (++dots_ == most_key_parts)  // a number or a time has one dot at most
                trouble_ = {at_, "a key of more than " + std::to_string(most_key_parts) + " parts"};
        } else if (std::string_view("=,[]{}\n").find(c) != std::string_view::npos)
            dots_ = 0;
        ++at_;
    }

    void skip_line_of_text(char quote) {
        for (++at_; at_ < toml_.size() && toml_[at_] != '\n'; ++at_) {
            if (toml_[at_] == quote) {
                ++at_;
                return;
            }
            if (quote == '"' && toml_[at_] == '\\') ++at_;
        }
    }

    void skip_lines(char quote) {
        const std::string end(3, quote);
        at_ += 3;
        while (at_ < toml_.size() && !starts(end) && !trouble_)
            if (quote == '"' && toml_[at_] == '\\')
                skip_escape();
            else
                ++at_;
        at_ = std::min(at_ + 3, toml_.size());
        for (int more = 0; more < 2 && at_ < toml_.size() && toml_[at_] == quote; ++more) ++at_;  // part of the text
    }

    // An escaped character, or the white space over which the text goes on.
    void skip_escape() {
        const std::size_t after = toml_.find_first_not_of(" \t\r\n", at_ + 1);
        if (after == at_ + 1) {
            at_ += 2;
            return;
        }
        at_ = std::min(after, toml_.size());
        if (at_ < toml_.size() && is_beyond_ascii(toml_[at_]))
            trouble_ = {at_, "a character beyond ASCII after a backslash at the end of a line"};
    }

    std::string_view toml_;
    std::size_t at_;
    std::size_t dots_ = 0;  // of the key, or value, that is under way
    std::optional<TomlTrouble> trouble_;
};

}  // namespace

std::optional<TomlTrouble> find_toml_trouble(std::string_view toml) {
    return TomlScan(toml).run();
}

}  // namespace io
