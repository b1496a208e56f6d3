#include "engine/message_hash.h"

namespace engine {

void MessageHash::sample_before(Time window, const Windows& windows) {
    Past& past = *past_;
    while (static_cast<Time>(past.count) < window / past.epoch) {
        if (past.count < most_samples) {
            past.samples[past.count++] = value_;
            continue;
        }
        past.count /= 2;
        for (std::size_t i = 0; i < past.count; ++i) past.samples[i] = past.samples[2 * i + 1];
        past.epoch *= 2;
    }
    epoch_end_ = windows.start((static_cast<Time>(past.count) + 1) * past.epoch);
}

std::uint64_t MessageHash::at(Time window) const {
    const auto epochs = static_cast<std::size_t>(window / past_->epoch);
    if (epochs == 0) return 0;
    return epochs <= past_->count ? past_->samples[epochs - 1] : value_;
}

Time MessageHash::epoch_for(Time windows) {
    Time epoch = 1;
    while ((windows + epoch - 1) / epoch > static_cast<Time>(most_samples)) epoch *= 2;
    return epoch;
}

}  // namespace engine
