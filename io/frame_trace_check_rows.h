// What every check of a frame trace's tables needs: complaints by dataset and row, and how many rows of other tables a
// path takes. Internal to io.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/error.h"
#include "models/frame_trace/frame_trace.h"

namespace io {

// More than any renderer makes: larger numbers come from damaged or forged files, and would only cost memory and time.
inline constexpr std::uint64_t address_end = std::uint64_t{models::block_bytes}
                                             << 32;  // blocks have numbers of 32 bits

class RowCheck {
  public:
    RowCheck(const models::Frame& frame, const std::string& where) : frame_number_(frame.number), where_(where) {}

    [[noreturn]] void fail(const char* column, std::size_t row, const std::string& problem) const {
        throw engine::InputError(where_ + ": frame " + std::to_string(frame_number_) + ": /" + column + ": row " +
                                 std::to_string(row) + ": " + problem);
    }
    void below(const char* column, std::size_t row, std::uint64_t value, std::uint64_t limit, const char* what) const {
        if (value >= limit)
            fail(column, row, std::to_string(value) + " is beyond the " + std::to_string(limit) + " " + what);
    }
    void range(const char* column, std::size_t row, std::uint64_t first, std::uint64_t count, std::uint64_t rows,
               const char* table) const {
        if (first > rows || count > rows - first)
            fail(column, row,
                 std::to_string(first) + "+" + std::to_string(count) + " is beyond the " + std::to_string(rows) +
                     " rows of /" + table);
    }
    void at_most(const char* column, std::size_t row, std::uint64_t value, std::uint64_t most) const {
        if (value > most)
            fail(column, row, "expected at most " + std::to_string(most) + ", found " + std::to_string(value));
    }
    // No row of the table twice, or the work of a frame could be endless: rows that are left pay for what is claimed.
    void claim(std::uint64_t& left, const char* column, std::size_t row, std::uint64_t count, const char* table) const {
        if (count > left) fail(column, row, "claims rows of /" + std::string(table) + " that rows before it have");
        left -= count;
    }

  private:
    std::uint32_t frame_number_;
    const std::string& where_;
};

// Rows of other tables that a group of lanes has for what it executes.
struct PathRows {
    std::uint64_t textures = 0;   // texture instructions
    std::uint64_t constants = 0;  // indirect constant operands
    std::uint64_t memory = 0;     // memory instructions
};
using ProgramRows = std::vector<std::vector<PathRows>>;  // by program and path

ProgramRows count_path_rows(const std::vector<models::Program>& programs);

// Constants, uploads and kernels of a frame; throws as check_frame() does.
void check_memory_tables(const models::Frame& frame, const std::vector<models::Program>& programs,
                         const ProgramRows& path_rows, const RowCheck& rows);

}  // namespace io
