#include "engine/events/message_log.h"

#include <algorithm>
#include <cstring>

namespace engine {

void MessageRecorder::record(const Envelope& envelope, std::uint32_t size) {
    if (envelope.time < from_ || envelope.time >= to_) return;
    LoggedMessage& message = messages_.emplace_back();
    message.time = envelope.time;
    message.order = envelope.order;
    message.receiver = envelope.receiver;
    message.size = size;
    std::memcpy(message.payload.data(), envelope.payload, size);
}

MessageRecorder& MessageRecorders::of(std::size_t thread) {
    while (recorders_.size() <= thread) recorders_.push_back(empty_);
    return recorders_[thread];
}

std::vector<LoggedMessage> MessageRecorders::messages() const {
    std::vector<LoggedMessage> all;
    for (const MessageRecorder& recorder : recorders_)
        all.insert(all.end(), recorder.messages().begin(), recorder.messages().end());
    sort_and_cut(all, limit_);
    return all;
}

void sort_and_cut(std::vector<LoggedMessage>& messages, std::size_t limit) {
    std::sort(messages.begin(), messages.end());
    if (messages.size() > limit + 1) messages.resize(limit + 1);
}

}  // namespace engine
