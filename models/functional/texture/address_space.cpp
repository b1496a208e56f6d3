#include "models/functional/texture/address_space.h"

#include <cassert>
#include <iterator>

#include "engine/error.h"

namespace models::functional {

AddressSpace::AddressSpace(std::uint64_t bytes) : capacity_(bytes) {
    assert(bytes > alignment && bytes <= largest && bytes % alignment == 0);
    free_.emplace(alignment, bytes - alignment);
}

Address AddressSpace::allocate(std::uint64_t bytes) {
    assert(bytes > 0);
    if (bytes <= capacity_) {
        const std::uint64_t needed = (bytes + alignment - 1) / alignment * alignment;
        for (auto range = free_.begin(); range != free_.end(); ++range) {
            if (range->second < needed) continue;
            const auto [start, length] = *range;
            free_.erase(range);
            if (length > needed) free_.emplace(start + needed, length - needed);
            allocated_.emplace(start, needed);
            allocated_bytes_ += needed;
            return start;
        }
    }
    throw engine::InputError("the simulated memory of " + std::to_string(capacity_) +
                             " bytes is full: " + std::to_string(allocated_bytes_) + " bytes are allocated and " +
                             std::to_string(bytes) + " more are asked for in one piece");
}

void AddressSpace::release(Address address) {
    const auto found = allocated_.find(address);
    assert(found != allocated_.end());
    std::uint64_t start = found->first, length = found->second;
    allocated_.erase(found);
    allocated_bytes_ -= length;
    auto next = free_.lower_bound(start);
    if (next != free_.end() && next->first == start + length) {
        length += next->second;
        next = free_.erase(next);
    }
    if (next != free_.begin()) {
        const auto before = std::prev(next);
        if (before->first + before->second == start) {
            before->second += length;
            return;
        }
    }
    free_.emplace(start, length);
}

}  // namespace models::functional
