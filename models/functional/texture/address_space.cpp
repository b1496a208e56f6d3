#include "models/functional/texture/address_space.h"

#include <cassert>
#include <iterator>
#include <string>
#include <utility>

#include "engine/error.h"

namespace models::functional {

AddressSpace::AddressSpace(std::uint64_t bytes, std::function<void(std::uint64_t)> tell)
    : capacity_(bytes),
      tell_(std::move(tell)) {
    assert(bytes >= alignment && bytes <= largest && bytes % alignment == 0);
    free_.emplace(alignment, addresses - alignment);
}

void AddressSpace::count(std::uint64_t bytes) {
    if (tell_) tell_(bytes);
    allocated_bytes_ = bytes;
}

Address AddressSpace::allocate(std::uint64_t bytes) {
    assert(bytes > 0);
    const std::uint64_t left = capacity_ - allocated_bytes_;
    const std::uint64_t needed = bytes <= left ? (bytes + alignment - 1) / alignment * alignment : bytes;
    if (needed > left)
        throw engine::InputError("the simulated memory of " + std::to_string(capacity_) +
                                 " bytes is full: " + std::to_string(allocated_bytes_) + " bytes are allocated and " +
                                 std::to_string(bytes) + " more are asked for");
    auto range = free_.begin();
    while (range->second < needed) {
        ++range;
        assert(range != free_.end() && "there are more addresses than first fit can need");
    }
    count(allocated_bytes_ + needed);
    const auto [start, length] = *range;
    free_.erase(range);
    if (length > needed) free_.emplace(start + needed, length - needed);
    allocated_.emplace(start, needed);
    return start;
}

void AddressSpace::release(Address address) {
    const auto found = allocated_.find(address);
    assert(found != allocated_.end());
    auto range = allocated_.extract(found);
    std::uint64_t& length = range.mapped();
    count(allocated_bytes_ - length);
    auto next = free_.lower_bound(address);
    if (next != free_.end() && next->first == address + length) {
        length += next->second;
        next = free_.erase(next);
    }
    if (next != free_.begin()) {
        const auto before = std::prev(next);
        if (before->first + before->second == address) {
            before->second += length;
            return;
        }
    }
    free_.insert(std::move(range));
}

}  // namespace models::functional
