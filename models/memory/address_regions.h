// Addresses of 64 bits in the 37 that the numbers of a cache's lines have room for: memory is in regions of equal size,
// which are moved into the space in the order in which they are met. A cache whose sets repeat within a region does not
// notice. Plain data: no time.
#pragma once

#include <cassert>
#include <cstdint>
#include <optional>
#include <unordered_map>

#include "models/frame_trace/memory.h"

namespace models {

class AddressRegions {
  public:
    // Of so many bytes each, up to 2^36. All but one have room: the last has the line whose number means none.
    explicit AddressRegions(std::uint64_t bytes)
        : bytes_(bytes),
          most_(static_cast<std::uint32_t>((std::uint64_t{1} << 37U) / bytes - 1)) {
        assert(most_ > 0);
    }

    // Where the address is moved to; none if there is no room for its region.
    std::optional<Address> moved(Address address) {
        const Address region = address / bytes_;
        if (region != latest_ || numbers_.empty()) {
            if (numbers_.size() == most_ && numbers_.count(region) == 0) return {};
            latest_ = region;
            start_ = numbers_.try_emplace(region, numbers_.size()).first->second * bytes_;
        }
        return start_ + address % bytes_;
    }
    std::uint64_t bytes() const { return bytes_; }
    std::uint32_t most() const { return most_; }

  private:
    std::uint64_t bytes_;
    std::uint32_t most_;
    std::unordered_map<Address, std::uint64_t> numbers_;
    Address latest_ = 0, start_ = 0;  // the region before, and where it has been moved to
};

}  // namespace models
