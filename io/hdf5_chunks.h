// The whole chunks among some rows of a dataset of one axis. Internal to the sources of io/hdf5_file.h.
#pragma once

#include <cstddef>
#include <cstdint>

namespace io {

struct WholeChunks {
    std::uint64_t begin, end;  // by number
    std::uint64_t rows;        // of each
    std::size_t value_bytes;
    int deflate_level;

    std::uint64_t first_row() const { return begin * rows; }
    std::uint64_t end_row() const { return end * rows; }
    std::size_t bytes() const { return rows * value_bytes; }  // of each, unpacked
};

}  // namespace io
