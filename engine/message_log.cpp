#include "engine/message_log.h"

#include <algorithm>
#include <cstring>

namespace engine {

void MessageRecorder::record(const Waiting& waiting, std::uint32_t size) {
    if (waiting.time < from_ || waiting.time >= to_) return;
    LoggedMessage& message = messages_.emplace_back();
    message.time = waiting.time;
    message.order = waiting.order;
    message.receiver = waiting.receiver;
    message.size = size;
    std::memcpy(message.payload.data(), waiting.payload(), size);
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
