// Which fragment processor shades a quad, and the credits for the processors' queues. Plain data: no time, no ports.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace models {

class QuadDistribution {
  public:
    enum class Policy : std::uint8_t { round_robin, position, least_loaded };  // as named in RasterParameters

    // `entries`: of the processors' queues, each has its share (share_of).
    QuadDistribution(Policy policy, int processors, int entries);

    // The processor for a quad at (x, y) of the screen, in quads; -1 if it has to wait.
    int choose(std::uint32_t x, std::uint32_t y) const;

    void take(int processor);                            // a quad goes there
    void give_back(int processor, std::uint32_t count);  // it has taken quads out of its queue

    bool complete() const;  // all credits are here

  private:
    Policy policy_;
    std::vector<int> entries_, credits_;  // by processor
    std::uint32_t across_, down_;         // processors of a rectangle on the screen, for `position`
    std::size_t turn_ = 0;
};

}  // namespace models
