#include "models/quad_distribution.h"

#include <cassert>

#include "models/machine_parameters.h"

namespace models {

QuadDistribution::QuadDistribution(Policy policy, int processors, int entries) : policy_(policy), across_(1) {
    for (int i = 0; i < processors; ++i) entries_.push_back(share_of(entries, processors, i));
    credits_ = entries_;
    const auto count = static_cast<std::uint32_t>(processors);
    for (std::uint32_t a = 1; a * a <= count; ++a)
        if (count % a == 0) across_ = a;
    down_ = count / across_;
}

int QuadDistribution::choose(std::uint32_t x, std::uint32_t y) const {
    if (policy_ == Policy::position) {
        const std::uint32_t processor = y % down_ * across_ + x % across_;
        return credits_[processor] > 0 ? static_cast<int>(processor) : -1;
    }
    int best = -1, most = 0;
    for (std::size_t i = 0; i < credits_.size(); ++i) {
        const std::size_t processor = turn_ + i < credits_.size() ? turn_ + i : turn_ + i - credits_.size();
        if (credits_[processor] <= most) continue;
        best = static_cast<int>(processor);
        most = credits_[processor];
        if (policy_ == Policy::round_robin || most == entries_.front()) break;
    }
    return best;
}

void QuadDistribution::take(int processor) {
    const auto i = static_cast<std::size_t>(processor);
    assert(credits_[i] > 0);
    --credits_[i];
    turn_ = i + 1 < credits_.size() ? i + 1 : 0;
}

void QuadDistribution::give_back(int processor, std::uint32_t count) {
    credits_[static_cast<std::size_t>(processor)] += static_cast<int>(count);
    assert(credits_[static_cast<std::size_t>(processor)] <= entries_[static_cast<std::size_t>(processor)]);
}

bool QuadDistribution::complete() const {
    return credits_ == entries_;
}

}  // namespace models
