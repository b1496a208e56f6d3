// What HDF5's filters shuffle, deflate and fletcher32, in this order, make of a chunk: its form in the file. HDF5 runs
// them on one thread, a chunk after the other. Several threads pack chunks with this, and HDF5 only stores them
// (H5Dwrite_chunk), or unpack what it has read (H5Dread_chunk).
//
// Source: HDF5 File Format Specification 3.0, IV.A.2.l (filter pipeline), and the filters of HDF5 1.10.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace io {

class ChunkFilters {
  public:
    // Bytes of a value; 1 to 9 as zlib has it.
    ChunkFilters(std::size_t value_bytes, int deflate_level)
        : value_bytes_(value_bytes),
          deflate_level_(deflate_level) {}

    // At most so many are stored for a chunk of `bytes`.
    static std::size_t most_stored(std::size_t bytes);

    // A whole number of values, as they are stored. Valid until the next call.
    std::span<const std::byte> pack(std::span<const std::byte> values);
    // The values of a chunk that holds exactly so many. False if that is not what is stored.
    bool unpack(std::span<const std::byte> stored, std::span<std::byte> values);

  private:
    std::size_t value_bytes_;
    int deflate_level_;
    std::vector<std::byte> shuffled_, stored_;  // used again and again
};

// HDF5's checksum: Fletcher's, over big-endian words of 16 bits, a last single byte being the upper half of one.
std::uint32_t fletcher32(std::span<const std::byte> bytes);

}  // namespace io
