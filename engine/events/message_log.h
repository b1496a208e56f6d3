// Message logs: every message that is consumed in a stretch of simulated time, to find the one in which two runs part.
// Off unless Simulation::log_messages() asks for it. Which messages are kept does not depend on the plan.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "engine/archive.h"
#include "engine/events/message.h"
#include "engine/units.h"

namespace engine {

// What Simulation::collect_message_log() returns.
struct MessageLog {
    struct Message {
        Time time;               // of arrival
        std::int32_t from, to;   // ports, in `ports`
        std::int32_t sender;     // its index in the bundle; -1: no bundle
        std::uint64_t position;  // among the messages of the sender to all it sends to over that port
        std::uint32_t size;      // bytes of the payload; the rest is 0
        std::array<std::byte, message_capacity> payload;

        void serialize(Archive& archive) { archive(time, from, to, sender, position, size, payload); }
    };
    std::vector<std::string> ports;  // "core[3].reads"
    std::vector<Message> messages;   // by time, then by process, then as consumed
    bool complete = true;            // false: these are the first ones only

    void serialize(Archive& archive) { archive(ports, messages, complete); }
};

// A message as a worker records it.
struct LoggedMessage {
    Time time;
    std::uint64_t order;
    std::int32_t receiver;
    std::uint32_t size;
    std::array<std::byte, message_capacity> payload;

    friend bool operator<(const LoggedMessage& a, const LoggedMessage& b) {
        if (a.time != b.time) return a.time < b.time;
        return a.receiver != b.receiver ? a.receiver < b.receiver : a.order < b.order;
    }
};
static_assert(sizeof(LoggedMessage) == 64);

// Of one worker. It sees windows in order, so once it holds more than `limit` messages, a later one is not among the
// first `limit` of the whole machine, and it can stop.
class MessageRecorder {
  public:
    MessageRecorder(Time from, Time to, std::size_t limit) : from_(from), to_(to), limit_(limit) {}

    // Whether a window that begins and ends there may hold messages to be recorded.
    bool wants(Time begin, Time end) const { return begin < to_ && end > from_ && messages_.size() <= limit_; }
    void record(const Envelope& envelope, std::uint32_t size);
    const std::vector<LoggedMessage>& messages() const { return messages_; }

  private:
    Time from_, to_;
    std::size_t limit_;
    std::vector<LoggedMessage> messages_;
};

// Of the threads of one rank, over several runs.
class MessageRecorders {
  public:
    MessageRecorders(Time from, Time to, std::size_t limit) : empty_(from, to, limit), limit_(limit) {}

    MessageRecorder& of(std::size_t thread);
    std::size_t limit() const { return limit_; }
    // In order; one more than the limit if there are more.
    std::vector<LoggedMessage> messages() const;

  private:
    MessageRecorder empty_;
    std::size_t limit_;
    std::deque<MessageRecorder> recorders_;
};

// The least ones, in order; one more than the limit if there are more.
void sort_and_cut(std::vector<LoggedMessage>& messages, std::size_t limit);

}  // namespace engine
