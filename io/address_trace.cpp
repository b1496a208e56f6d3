#include "io/address_trace.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "engine/error.h"
#include "io/printable.h"
#include "io/recording/input_file.h"

namespace io {
namespace {

enum class Kind : std::uint8_t { cycles, load_store, read_write, address_first };

struct Word {
    std::string_view text;
    std::size_t column = 1;
};

// One of the two words of a kind: false for the first, true for the second.
std::optional<bool> is_second(std::string_view word, std::string_view first, std::string_view second) {
    if (word == first) return false;
    if (word == second) return true;
    return {};
}

class Reader {
  public:
    Reader(const std::filesystem::path& path, std::uint64_t memory) : path_(path), memory_(memory) {}

    void line(std::string_view text) {
        ++line_;
        if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
        split(text);
        if (count_ == 0) return;
        if (!kind_) kind_ = kind_of_line();
        trace_.accesses.push_back(access());
    }

    // Of a line that goes on.
    void check_length(std::string_view begin) {
        if (begin.size() <= longest) return;
        ++line_;
        refuse(longest + 1, "the end of the line", begin.substr(longest));
    }

    AddressTrace finish() {
        if (trace_.accesses.empty()) throw engine::InputError(path_.string() + ": expected requests, found none");
        trace_.has_cycles = kind_ == Kind::cycles;
        return std::move(trace_);
    }

  private:
    void split(std::string_view text) {
        count_ = 0;
        for (std::size_t at = 0;;) {
            at = text.find_first_not_of(" \t", at);
            if (at == std::string_view::npos || count_ == words_.size()) break;
            const std::size_t end = std::min(text.find_first_of(" \t", at), text.size());
            words_[count_++] = {text.substr(at, end - at), at + 1};
            at = end;
        }
        end_ = text.size() + 1;
    }

    Kind kind_of_line() const {
        const std::string_view first = words_[0].text;
        if (is_second(first, "LD", "ST")) return Kind::load_store;
        if (is_second(first, "R", "W")) return Kind::read_write;
        if (count_ > 1 && is_second(words_[1].text, "R", "W")) return Kind::address_first;
        if (count_ > 1 && is_second(words_[1].text, "READ", "WRITE")) return Kind::cycles;
        refuse(words_[0].column, "ADDRESS READ|WRITE CYCLE, LD|ST ADDRESS, R|W ADDRESS or ADDRESS R|W", words_[0].text);
    }

    AddressTrace::Access access() const {
        AddressTrace::Access access;
        switch (*kind_) {
            case Kind::cycles:
                access.address = address(0);
                access.is_write = operation(1, "READ", "WRITE");
                access.cycle = cycle(2);
                break;
            case Kind::load_store:
                access.is_write = operation(0, "LD", "ST");
                access.address = address(1);
                break;
            case Kind::read_write:
                access.is_write = operation(0, "R", "W");
                access.address = address(1);
                break;
            case Kind::address_first:
                access.address = address(0);
                access.is_write = operation(1, "R", "W");
                break;
        }
        const std::size_t expected = *kind_ == Kind::cycles ? 3 : 2;
        if (count_ > expected) refuse(words_[expected].column, "the end of the line", words_[expected].text);
        return access;
    }

    bool operation(std::size_t index, std::string_view read, std::string_view write) const {
        const std::string expected = std::string(read) + " or " + std::string(write);
        const Word word = take(index, expected);
        const std::optional<bool> is_write = is_second(word.text, read, write);
        if (!is_write) refuse(word.column, expected, word.text);
        return *is_write;
    }
    std::uint64_t address(std::size_t index) const {
        const std::string expected = "an address, decimal or 0x...";
        const Word word = take(index, expected);
        const std::uint64_t value = number(word, expected);
        if (value >= memory_)
            refuse(word.column, "an address below the " + std::to_string(memory_) + " bytes of memory", word.text);
        return value;
    }
    std::uint64_t cycle(std::size_t index) const {
        const std::string expected = "a cycle";
        const Word word = take(index, expected);
        const std::uint64_t value = number(word, expected);
        const std::uint64_t before = trace_.accesses.empty() ? 0 : trace_.accesses.back().cycle;
        if (value < before)
            refuse(word.column, "a cycle not before " + std::to_string(before) + ", that of the line before",
                   word.text);
        if (value > most_cycles) refuse(word.column, "a cycle up to " + std::to_string(most_cycles), word.text);
        return value;
    }

    Word take(std::size_t index, const std::string& expected) const {
        if (index >= count_) refuse(end_, expected, "the end of the line");
        return words_[index];
    }
    std::uint64_t number(const Word& word, const std::string& expected) const {
        const bool is_hexadecimal = word.text.starts_with("0x") || word.text.starts_with("0X");
        const char* const begin = word.text.data() + (is_hexadecimal ? 2 : 0);
        const char* const end = word.text.data() + word.text.size();
        std::uint64_t value = 0;
        const auto [rest, error] = std::from_chars(begin, end, value, is_hexadecimal ? 16 : 10);
        if (error != std::errc{} || rest != end) refuse(word.column, expected, word.text);
        return value;
    }

    [[noreturn]] void refuse(std::size_t column, const std::string& expected, std::string_view found) const {
        constexpr std::size_t most = 40;
        throw engine::InputError(path_.string() + ":" + std::to_string(line_) + ":" + std::to_string(column) +
                                 ": expected " + expected + ", found " +
                                 printable(std::string(found.substr(0, most)) + (found.size() > most ? "..." : "")));
    }

    static constexpr std::size_t longest = std::size_t{1} << 16;
    static constexpr std::uint64_t most_cycles = std::uint64_t{1} << 60;
    const std::filesystem::path& path_;
    std::uint64_t memory_;
    std::size_t line_ = 0, end_ = 1;
    std::array<Word, 4> words_;  // one more than a line may have, to say what is too much
    std::size_t count_ = 0;      // words of this line
    std::optional<Kind> kind_;
    AddressTrace trace_;
};

}  // namespace

AddressTrace read_address_trace(const std::filesystem::path& path, std::uint64_t memory) {
    const Descriptor file = open_input(path);
    Reader reader(path, memory);
    std::vector<std::byte> block(std::size_t{1} << 20);
    std::string rest;  // of a line that goes on
    for (;;) {
        const std::size_t size = read_bytes(file, block, path);
        std::string_view text(reinterpret_cast<const char*>(block.data()), size);
        for (std::size_t end; (end = text.find('\n')) != std::string_view::npos; text.remove_prefix(end + 1)) {
            rest += text.substr(0, end);
            reader.line(rest);
            rest.clear();
        }
        rest += text;
        if (size < block.size()) break;
        reader.check_length(rest);
    }
    if (!rest.empty()) reader.line(rest);
    return reader.finish();
}

}  // namespace io
