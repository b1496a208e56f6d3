// The lines of a text file, one after the other: memory for one of them and a block of the file. A line has up to 64
// KiB; of a longer one its beginning is told, with one byte too many.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "io/recording/file.h"

namespace io {

class LineReader {
  public:
    static constexpr std::size_t longest = std::size_t{1} << 16;

    // Throws IoError if it cannot be read, here and in next().
    explicit LineReader(std::filesystem::path path);
    LineReader(const LineReader&) = delete;  // a line is in it
    LineReader& operator=(const LineReader&) = delete;

    // False at the end. `line` is without its end, "\n" or "\r\n", and valid until the next call.
    bool next(std::string_view& line);
    std::size_t number() const { return number_; }  // of the line, from 1 on
    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
    Descriptor file_;
    std::vector<std::byte> block_;
    std::string_view text_;  // of the block: what is left
    std::string begun_;      // the line's part in the blocks before
    std::size_t number_ = 0;
    bool at_end_ = false;  // the block is the last
};

}  // namespace io
