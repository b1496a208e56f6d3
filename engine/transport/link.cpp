#include "engine/transport/link.h"

#include <algorithm>

#include "engine/transport/outgoing.h"

namespace engine::transport {

void Outgoing::relieve() {
    if (!flush() && count_ == gathered_.size()) gathered_.resize(2 * count_);
}

bool Outgoing::hand_over() {
    most_gathered_ = std::max(most_gathered_, count_);
    handed_over_ += memory_->ring.push(gathered_.data() + handed_over_, count_ - handed_over_);
    if (handed_over_ < count_) return false;
    messages_ += count_;
    count_ = handed_over_ = 0;
    return true;
}

void Outgoing::publish(Time clock) {
    clock_ = clock;
    ++null_messages_;
    if (clock < lost_from_) memory_->clock.store(clock, std::memory_order_release);
}

}  // namespace engine::transport
