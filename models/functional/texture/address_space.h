// The simulated GPU's memory as an allocator of addresses; holds no data. Deterministic: first fit from below,
// neighbouring free ranges are joined, every allocation is aligned to 4 KiB.
#pragma once

#include <cstdint>
#include <map>

#include "models/frame_trace/frame_trace.h"

namespace models::functional {

class AddressSpace {
  public:
    static constexpr std::uint64_t alignment = 4096;      // bytes
    static constexpr std::uint64_t largest = 1ULL << 32;  // bytes; block numbers stay far below 2^32

    // Addresses [alignment, bytes): address 0 is never given out.
    explicit AddressSpace(std::uint64_t bytes = largest);

    // Throws InputError when the memory is full. bytes > 0.
    Address allocate(std::uint64_t bytes);
    // `address` came from allocate and was not released since.
    void release(Address address);

    std::uint64_t allocated_bytes() const { return allocated_bytes_; }  // rounded up to the alignment

  private:
    std::map<Address, std::uint64_t> free_;       // start -> bytes, disjoint, never adjacent
    std::map<Address, std::uint64_t> allocated_;  // start -> bytes
    std::uint64_t capacity_ = 0;
    std::uint64_t allocated_bytes_ = 0;
};

}  // namespace models::functional
