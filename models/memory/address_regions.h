// Addresses of 64 bits in the 37 that the numbers of a cache's lines have room for: memory is in regions of equal size,
// of which those below 128 GiB lie where they are and the others by their number modulo how many there are; where two
// meet, the later one is moved to the next free place. So neighbours stay neighbours, and sets and strides are what
// they are, but for regions that had to be moved: there only what repeats within a region is kept. Plain data: no time.
#pragma once

#include <cassert>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>

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
        if (region != latest_ || places_.empty()) {
            const auto known = places_.find(region);
            if (known == places_.end() && places_.size() == most_) return {};
            latest_ = region;
            start_ = (known != places_.end() ? known->second : take(region)) * bytes_;
        }
        return start_ + address % bytes_;
    }
    std::uint64_t bytes() const { return bytes_; }
    std::uint32_t most() const { return most_; }

  private:
    std::uint64_t take(Address region) {
        std::uint64_t place = region % most_;
        while (!taken_.insert(place).second) place = place + 1 < most_ ? place + 1 : 0;
        return places_[region] = place;
    }

    std::uint64_t bytes_;
    std::uint32_t most_;
    std::unordered_map<Address, std::uint64_t> places_;
    std::unordered_set<std::uint64_t> taken_;
    Address latest_ = 0, start_ = 0;  // the region before, and where it has been moved to
};

}  // namespace models
