// A divisor that is known when the machine is built, as a number of slices or the width of a link is. Mostly it is a
// power of two, and dividing by it a shift; what a message costs has several. Plain data: no time, no ports.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>

namespace models {

class Divisor {
  public:
    explicit Divisor(std::uint32_t by)
        : by_(by),
          shift_(static_cast<std::uint32_t>(std::countr_zero(by))),
          is_power_(std::has_single_bit(by)) {
        assert(by > 0);
    }

    std::uint32_t value() const { return by_; }
    std::uint32_t quotient(std::uint32_t x) const { return is_power_ ? x >> shift_ : x / by_; }
    std::uint32_t quotient_up(std::uint32_t x) const { return quotient(x + by_ - 1); }
    std::uint32_t remainder(std::uint32_t x) const { return is_power_ ? x & (by_ - 1) : x % by_; }

  private:
    std::uint32_t by_, shift_;
    bool is_power_;
};

}  // namespace models
