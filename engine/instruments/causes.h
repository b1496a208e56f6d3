// Causes: which work of a run needed which. For every message that is consumed it finds the advance of a process that
// sent it, by the positions of messages in their channels, which the ports count in any case. For runs of one worker
// that measure every window: part of the WorkLog.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/instruments/work_log.h"
#include "engine/logical_process.h"

namespace engine {

class Causes {
  public:
    // `log`: where they are noted.
    Causes(WorkLog& log, std::size_t processes) : log_(&log), outputs_(processes), inputs_(processes) {}

    // Before the run. A sending port: the position of the message that it sends next, in the low 32 bits.
    struct Position {
        const std::uint64_t* of_channel;
        const std::uint32_t* of_bundle;  // null: of a channel
    };
    // Returns its number.
    std::uint32_t add_sender(int process, Position position);
    // The messages of an input come from the sending port with this number, or from one of those after it: from the
    // sender of the bundle whose index XOR `mask` they carry.
    void add_input(int process, int input, std::uint32_t first_sender, bool is_bundle, std::uint32_t mask);

    // About the entry of the log that is made next: what the process consumes; then what it has sent.
    void consume(int process, std::span<const Arrival> arrivals);
    void note_sent(int process);

  private:
    struct Sent {
        std::uint32_t end, entry;  // positions before this one, back to that of the element before
    };
    struct Sender {
        Position position;
        std::uint32_t begin, next;  // positions: at the beginning, and of what has not been noted
        std::vector<Sent> sent;
    };
    struct Input {
        std::uint32_t first_sender = 0, mask = 0;
        bool is_bundle = false;
    };
    static std::uint32_t value(const Position& position);

    WorkLog* log_;
    std::vector<Sender> senders_;                      // by number
    std::vector<std::vector<std::uint32_t>> outputs_;  // by process: numbers of its senders
    std::vector<std::vector<Input>> inputs_;           // by process and number of the input
};

}  // namespace engine
