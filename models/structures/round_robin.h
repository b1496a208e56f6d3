// A round-robin arbiter: of those who ask, the first one after who was served last has its turn. So whoever asks is
// served after at most all the others once. Plain data: no time, no ports.
#pragma once

#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/archive.h"

namespace models {

// Of at most 32, given as bits, the first one that is at least `from`, or else the first of all. Somebody asks.
inline std::uint32_t first_in_turn(std::uint32_t asking, std::uint32_t from) {
    assert(asking != 0 && from < 32);
    const std::uint32_t later = asking & ~std::uint32_t{0} << from;
    return static_cast<std::uint32_t>(std::countr_zero(later != 0 ? later : asking));
}

class RoundRobin {
  public:
    explicit RoundRobin(std::size_t count) : asking_((count + 63) / 64) {}

    void ask(std::uint32_t i) { asking_[i / 64] |= std::uint64_t{1} << i % 64; }
    void withdraw(std::uint32_t i) { asking_[i / 64] &= ~(std::uint64_t{1} << i % 64); }
    bool is_asked() const {
        std::uint64_t all = 0;
        for (const std::uint64_t word : asking_) all |= word;
        return all != 0;
    }

    // Whose turn it is; the turn after it is the next one's. He goes on asking until he withdraws. Somebody asks.
    std::uint32_t grant() {
        assert(is_asked());
        std::size_t word = next_ / 64;
        std::uint64_t bits = asking_[word] & ~std::uint64_t{0} << next_ % 64;
        while (bits == 0) {
            word = word + 1 < asking_.size() ? word + 1 : 0;
            bits = asking_[word];
        }
        const auto granted = static_cast<std::uint32_t>(word * 64) + static_cast<std::uint32_t>(std::countr_zero(bits));
        next_ = (granted + 1) % static_cast<std::uint32_t>(asking_.size() * 64);
        return granted;
    }

    void serialize(engine::Archive& archive) { archive(asking_, next_); }

  private:
    std::vector<std::uint64_t> asking_;
    std::uint32_t next_ = 0;
};

}  // namespace models
