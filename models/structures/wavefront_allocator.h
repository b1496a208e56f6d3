// The wavefront allocator (Tamir and Chi 1993; Hurt et al. 1999; paper 002, section 3.2): matches rows that ask with
// columns, at most one request granted in a row. A wave runs over the diagonals of the matrix of requests, beginning at
// one that moves on by one whenever somebody asked: the cells of a diagonal have rows and columns of their own, so they
// are decided at once, and every request is granted after as many waves as there are diagonals at the latest. What is
// granted is maximal: no request is left whose row and column are both free. Plain data: no time, no ports.
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdint>
#include <span>

#include "engine/archive.h"

namespace models {

class WavefrontAllocator {
  public:
    // At most 64 columns. `one_grant_per_column`: as in the papers; if not, a column may be granted to several rows.
    WavefrontAllocator(std::uint32_t rows, std::uint32_t columns, bool one_grant_per_column)
        : diagonals_(std::max(rows, columns)),
          one_grant_per_column_(one_grant_per_column) {
        assert(columns <= 64);
    }

    // requests[row]: mask of columns. Calls grant(row, column) for each match.
    template <class Grant>
    void allocate(std::span<const std::uint64_t> requests, Grant&& grant) {
        std::uint64_t taken = 0, asked = 0;
        std::uint32_t rows_left = 0;
        for (const std::uint64_t row : requests) {
            asked |= row;
            rows_left += row != 0 ? 1 : 0;
        }
        if (asked == 0) return;
        std::uint64_t granted = 0;  // rows
        for (std::uint32_t d = 0; d < diagonals_ && rows_left > 0; ++d)
            for (std::uint32_t row = 0; row < requests.size(); ++row) {
                if (requests[row] == 0 || (granted >> row & 1U) != 0) continue;
                std::uint32_t column = first_ + d + diagonals_ - row;
                while (column >= diagonals_) column -= diagonals_;
                if (column >= 64 || (requests[row] & ~taken & std::uint64_t{1} << column) == 0) continue;
                granted |= std::uint64_t{1} << row;
                if (one_grant_per_column_) taken |= std::uint64_t{1} << column;
                --rows_left;
                grant(row, column);
            }
        first_ = first_ + 1 < diagonals_ ? first_ + 1 : 0;
    }

    void serialize(engine::Archive& archive) { archive(first_); }

  private:
    std::uint32_t diagonals_;
    bool one_grant_per_column_;
    std::uint32_t first_ = 0;  // diagonal of the next wave
};

}  // namespace models
