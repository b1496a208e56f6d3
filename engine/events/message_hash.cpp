#include "engine/events/message_hash.h"

#include "engine/archive.h"
#include "engine/error.h"

namespace engine {

void MessageHash::sample_before(Time window, const Windows& windows) {
    Samples& samples = *samples_;
    while (static_cast<Time>(samples.count) < window >> samples.epoch_bits) {
        if (samples.count < most_samples) {
            samples.values[samples.count++] = value_;
            continue;
        }
        samples.count /= 2;
        for (std::size_t i = 0; i < samples.count; ++i) samples.values[i] = samples.values[2 * i + 1];
        ++samples.epoch_bits;
    }
    epoch_end_ = windows.start((static_cast<Time>(samples.count) + 1) << samples.epoch_bits);
}

std::uint64_t MessageHash::at(Time window) const {
    const auto epochs = static_cast<std::size_t>(window >> samples_->epoch_bits);
    if (epochs == 0) return keys[0];
    return epochs <= samples_->count ? samples_->values[epochs - 1] : value_;
}

void MessageHash::serialize(Archive& archive) {
    auto& [count, epoch_bits, values] = *samples_;
    archive(value_, epoch_end_, count, epoch_bits);
    if (count > most_samples || epoch_bits > 62) throw InputError("expected samples of a hash, found too many");
    for (std::size_t i = 0; i < count; ++i) archive(values[i]);
}

Time MessageHash::epoch_for(Time windows) {
    Time epoch = 1;
    while ((windows + epoch - 1) / epoch > static_cast<Time>(most_samples)) epoch *= 2;
    return epoch;
}

}  // namespace engine
