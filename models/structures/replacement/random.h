// Random: the victim is drawn by a counter-based generator, so it is a function of the set and of how many lines have
// gone from the cache.
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/archive.h"
#include "engine/counter_rng.h"

namespace models {

class Random {
  public:
    static constexpr std::string_view name = "random";

    Random(std::uint32_t /*sets*/, std::uint32_t ways) : ways_(ways) {}

    void hit(std::uint32_t /*set*/, std::uint32_t /*way*/) {}
    void fill(std::uint32_t /*set*/, std::uint32_t /*way*/) {}
    std::uint32_t victim(std::uint32_t set) { return engine::CounterRng(victims_++, set).below(ways_); }

    void serialize(engine::Archive& archive) { archive(victims_); }

  private:
    std::uint32_t ways_;
    std::uint64_t victims_ = 0;
};

}  // namespace models
