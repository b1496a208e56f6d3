// The simulated GPU's memory as an allocator of addresses; holds no data. Deterministic: first fit from below,
// neighbouring free ranges are joined, every allocation is aligned to 4 KiB.
//
// There are more addresses than memory: what is asked for is refused because there is too much of it, never because
// what is free is in pieces. First fit needs no more than M * log2(n) for M pages in pieces of at most n (Robson 1977):
// 20 times the largest memory.
#pragma once

#include <cstdint>
#include <functional>
#include <map>

#include "models/frame_trace/frame_trace.h"

namespace models::functional {

class AddressSpace {
  public:
    static constexpr std::uint64_t alignment = 4096;        // bytes
    static constexpr std::uint64_t largest = 1ULL << 32;    // bytes that can be allocated at once
    static constexpr std::uint64_t addresses = 1ULL << 37;  // blocks of 64 bytes have numbers below 2^32

    // Addresses [alignment, addresses): address 0 is never given out. `bytes`, whole pages, may be allocated at once.
    // `tell` is called with what will be allocated whenever that changes: before it grows, so it may throw then.
    explicit AddressSpace(std::uint64_t bytes = largest, std::function<void(std::uint64_t)> tell = nullptr);

    // Throws InputError when the memory is full. bytes > 0.
    Address allocate(std::uint64_t bytes);
    // `address` came from allocate and was not released since. Allocates nothing, as destructors call it.
    void release(Address address);

    std::uint64_t allocated_bytes() const { return allocated_bytes_; }  // rounded up to the alignment

  private:
    void count(std::uint64_t bytes);

    std::map<Address, std::uint64_t> free_;       // start -> bytes, disjoint, never adjacent
    std::map<Address, std::uint64_t> allocated_;  // start -> bytes
    std::uint64_t capacity_ = 0;
    std::uint64_t allocated_bytes_ = 0;
    std::function<void(std::uint64_t)> tell_;
};

}  // namespace models::functional
