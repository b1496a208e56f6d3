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
#include "models/structures/round_robin.h"

namespace models {

class WavefrontAllocator {
  public:
    // At most 64 of each. `one_grant_per_column`: as in the papers; if not, a column may be granted to several rows.
    WavefrontAllocator(std::uint32_t rows, std::uint32_t columns, bool one_grant_per_column)
        : diagonals_(std::max(rows, columns)),
          one_grant_per_column_(one_grant_per_column) {
        assert(columns <= 64 && rows <= 64);
    }

    // requests[row]: mask of columns. Calls grant(row, column) for each match.
    template <class Grant>
    void allocate(std::span<const std::uint64_t> requests, Grant&& grant) {
        std::uint64_t rows = 0, taken = 0;    // rows that ask and have none, columns that are gone
        std::uint64_t asked = 0, shared = 0;  // columns, by some row, by several
        for (std::size_t row = 0; row < requests.size(); ++row) {
            rows |= std::uint64_t{requests[row] != 0} << row;
            shared |= asked & requests[row];
            asked |= requests[row];
        }
        if (rows == 0) return;
        if (shared == 0) {  // nobody stands in anybody's way: each has what the wave meets first in its row
            for (; rows != 0; rows &= rows - 1) {
                const auto row = static_cast<std::uint32_t>(std::countr_zero(rows));
                grant(row, first_in_turn(requests[row], begin_of(row)));
            }
            advance();
            return;
        }
        // On its way along a row, the wave meets the columns from where it begins there, upwards and round. The request
        // that it meets first of all is granted; of those on one diagonal no two are of one column.
        while (rows != 0) {
            std::uint32_t best = diagonals_, best_row = 0, best_column = 0;
            for (std::uint64_t rest = rows; rest != 0; rest &= rest - 1) {
                const auto row = static_cast<std::uint32_t>(std::countr_zero(rest));
                const std::uint64_t free = requests[row] & ~taken;
                if (free == 0) {
                    rows &= ~(std::uint64_t{1} << row);
                    continue;
                }
                const std::uint32_t begin = begin_of(row);
                const std::uint32_t column = first_in_turn(free, begin);
                const std::uint32_t diagonal = column >= begin ? column - begin : column + diagonals_ - begin;
                if (diagonal >= best) continue;
                best = diagonal;
                best_row = row;
                best_column = column;
            }
            if (best == diagonals_) break;
            rows &= ~(std::uint64_t{1} << best_row);
            if (one_grant_per_column_) taken |= std::uint64_t{1} << best_column;
            grant(best_row, best_column);
        }
        advance();
    }

    void serialize(engine::Archive& archive) { archive(first_); }

  private:
    // The column where the wave meets a row first.
    std::uint32_t begin_of(std::uint32_t row) const { return first_ >= row ? first_ - row : first_ + diagonals_ - row; }
    void advance() { first_ = first_ + 1 < diagonals_ ? first_ + 1 : 0; }

    std::uint32_t diagonals_;
    bool one_grant_per_column_;
    std::uint32_t first_ = 0;  // diagonal of the next wave
};

}  // namespace models
