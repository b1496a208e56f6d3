#include "engine/message_hash.h"

#include "engine/archive.h"
#include "engine/error.h"

namespace engine {

void MessageHash::sample_before(Time window, const Windows& windows) {
    Samples& samples = *samples_;
    while (static_cast<Time>(count_) < window >> epoch_bits_) {
        if (count_ < most_samples) {
            samples[count_++] = value_;
            continue;
        }
        count_ /= 2;
        for (std::size_t i = 0; i < count_; ++i) samples[i] = samples[2 * i + 1];
        ++epoch_bits_;
    }
    epoch_end_ = windows.start((static_cast<Time>(count_) + 1) << epoch_bits_);
}

std::uint64_t MessageHash::at(Time window) const {
    const auto epochs = static_cast<std::size_t>(window >> epoch_bits_);
    if (epochs == 0) return keys[0];
    return epochs <= count_ ? (*samples_)[epochs - 1] : value_;
}

void MessageHash::serialize(Archive& archive) {
    archive(value_, epoch_end_, count_, epoch_bits_);
    if (count_ > most_samples || epoch_bits_ > 62) throw InputError("expected samples of a hash, found too many");
    for (std::size_t i = 0; i < count_; ++i) archive((*samples_)[i]);
}

Time MessageHash::epoch_for(Time windows) {
    Time epoch = 1;
    while ((windows + epoch - 1) / epoch > static_cast<Time>(most_samples)) epoch *= 2;
    return epoch;
}

}  // namespace engine
