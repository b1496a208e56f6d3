// When epochs end: "every time the total amount of accesses exceeds the epoch length" (paper 004, III-B), 20 K accesses
// of all cores together. Counted where they come together, so with accesses that are told in lumps the rest of a lump
// belongs to the next epoch. Plain data: no time, no ports.
#pragma once

#include <cassert>
#include <cstdint>

#include "engine/archive.h"

namespace models {

class EpochCounter {
  public:
    explicit EpochCounter(std::uint32_t length) : length_(length) { assert(length > 0); }

    // How many epochs end with these accesses.
    std::uint32_t add(std::uint32_t accesses) {
        const std::uint64_t sum = std::uint64_t{accesses_} + accesses;
        accesses_ = static_cast<std::uint32_t>(sum % length_);
        const auto ended = static_cast<std::uint32_t>(sum / length_);
        epoch_ += ended;
        return ended;
    }
    std::uint32_t epoch() const { return epoch_; }  // the number of the one that goes on, from 0

    void serialize(engine::Archive& archive) { archive(accesses_, epoch_); }

  private:
    std::uint32_t length_;
    std::uint32_t accesses_ = 0, epoch_ = 0;
};

}  // namespace models
