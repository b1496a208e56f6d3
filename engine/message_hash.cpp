#include "engine/message_hash.h"

namespace engine {

void MessageHash::sample_before(Time window, const Windows& windows) {
    while (static_cast<Time>(samples_.size()) < window / epoch_) {
        if (samples_.size() < most_samples) {
            samples_.push_back(value_);
            continue;
        }
        for (std::size_t i = 0; i < most_samples / 2; ++i) samples_[i] = samples_[2 * i + 1];
        samples_.resize(most_samples / 2);
        epoch_ *= 2;
    }
    epoch_end_ = windows.start((static_cast<Time>(samples_.size()) + 1) * epoch_);
}

std::uint64_t MessageHash::at(Time window) const {
    const auto epochs = static_cast<std::size_t>(window / epoch_);
    if (epochs == 0) return 0;
    return epochs <= samples_.size() ? samples_[epochs - 1] : value_;
}

Time MessageHash::epoch_for(Time windows) {
    Time epoch = 1;
    while ((windows + epoch - 1) / epoch > static_cast<Time>(most_samples)) epoch *= 2;
    return epoch;
}

}  // namespace engine
