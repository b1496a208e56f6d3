// Least recently used: the victim is the line that was accessed longest ago.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <vector>

#include "engine/archive.h"

namespace models {

class LeastRecentlyUsed {
  public:
    static constexpr std::string_view name = "lru";

    LeastRecentlyUsed(std::uint32_t sets, std::uint32_t ways) : ages_(std::size_t{sets} * ways), ways_(ways) {
        std::iota(ages_.begin(), ages_.begin() + ways, std::uint8_t{0});
        for (std::size_t done = ways; done < ages_.size(); done *= 2)  // all sets like the first, as many as are done
            std::copy_n(ages_.begin(), std::min(done, ages_.size() - done), &ages_[done]);
    }

    void hit(std::uint32_t set, std::uint32_t way) {
        std::uint8_t* const ages = &ages_[std::size_t{set} * ways_];
        const std::uint8_t age = ages[way];
        if (age == 0) return;
        for (std::uint32_t w = 0; w < ways_; ++w)
            ages[w] = static_cast<std::uint8_t>(ages[w] + (ages[w] < age ? 1 : 0));
        ages[way] = 0;
    }
    void fill(std::uint32_t set, std::uint32_t way) { hit(set, way); }

    std::uint32_t victim(std::uint32_t set) const {
        const std::uint8_t* const ages = &ages_[std::size_t{set} * ways_];
        std::uint32_t way = 0;
        while (ages[way] + 1U != ways_) ++way;
        return way;
    }

    void serialize(engine::Archive& archive) { archive(ages_); }

  private:
    std::vector<std::uint8_t> ages_;  // [set][way]: how many of the set were accessed since
    std::uint32_t ways_;
};

}  // namespace models
