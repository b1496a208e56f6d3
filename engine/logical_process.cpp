#include "engine/logical_process.h"

#include <utility>

#include "engine/archive.h"
#include "engine/error.h"

namespace engine {

LogicalProcess::LogicalProcess(std::string kind, int index)
    : description_(std::make_unique<Description>(CounterOwner{std::move(kind), index})) {}

LogicalProcess::Description::Description(CounterOwner process)
    : kind(process.kind),
      name(process.index < 0 ? kind : kind + "[" + std::to_string(process.index) + "]"),
      index(process.index),
      counters(std::move(process)) {}

LogicalProcess::~LogicalProcess() = default;

void LogicalProcess::serialize(Archive& /*archive*/) {
    throw CannotBeSaved(name() + ": cannot be saved in a checkpoint: " + kind() + " has no function serialize()");
}

void LogicalProcess::advance_each(LaneGroup& group, const Piece& piece) {
    for (Lane& lane : group.lanes) {
        if (lane.first != Calendar::none)
            piece.make_ready(lane);
        else if (lane.wake >= piece.end)
            continue;
        piece.current.store(lane.number, std::memory_order_relaxed);
        lane.process->advance(piece.end);
        lane.wake = lane.process->wake_;
    }
    group.reached = 0;
}

// As several are mostly two: not sorted as arrivals. `never` if it is something else.
Time LogicalProcess::receive_two(Lane& lane, const Piece& piece) {
    std::uint32_t first = lane.first, second = calendar_->at(first).next;
    if (second == Calendar::none) return never;
    const Waiting &a = calendar_->at(first), &b = calendar_->at(second);
    const Time time = a.time;
    if (b.next != Calendar::none || b.time != time || wake_ < time) return never;
    if (b.order < a.order) std::swap(first, second);
    lane.first = Calendar::none;
    if (note_messages(2, piece.window_end)) piece.sample(*this);
    for (const std::uint32_t place : {first, second}) consume(calendar_->at(place), place);
    return time;
}

Time LogicalProcess::receive_several(Lane& lane, const Piece& piece) {
    if (const Time time = receive_two(lane, piece); time != never) return time;
    piece.make_ready(lane);
    const Time time = arrivals_->time;
    if (wake_ < time || arrivals_end_[-1].time != time) {
        advance(piece.end);
        return never;
    }
    do consume();
    while (has_arrivals());
    return time;
}

std::string LogicalProcess::situation() const {
    std::string text = "clock " + std::to_string(now_);
    text += wake_ == never ? ", asleep" : ", next step at " + std::to_string(wake_);
    return text;
}

}  // namespace engine
