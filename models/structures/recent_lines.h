// Lines that something happened to of late: a direct-mapped table by a hash of the line's number, in which a newer one
// takes the place of an older one. Plain data, and none as long as nothing has happened.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/archive.h"
#include "models/structures/cache_array.h"

namespace models {

class RecentLines {
  public:
    explicit RecentLines(std::uint32_t places) : places_(places) {}

    void add(LineNumber line) {
        if (lines_.empty()) lines_.resize(places_, none);  // once
        lines_[place(line)] = line;
    }
    // True if it was there; it no longer is.
    bool take(LineNumber line) {
        if (lines_.empty() || lines_[place(line)] != line) return false;
        lines_[place(line)] = none;
        return true;
    }
    template <class Predicate>
    void remove_if(Predicate&& predicate) {
        for (LineNumber& line : lines_)
            if (line != none && predicate(line)) line = none;
    }
    void clear() { std::fill(lines_.begin(), lines_.end(), none); }

    void serialize(engine::Archive& archive) { archive(lines_); }

  private:
    // Multiplication by 2^32 over the golden ratio spreads neighbours over the upper bits (Knuth).
    std::size_t place(LineNumber line) const { return std::uint64_t{line * 0x9e3779b9U} * places_ >> 32U; }

    std::uint32_t places_;
    std::vector<LineNumber> lines_;
};

}  // namespace models
