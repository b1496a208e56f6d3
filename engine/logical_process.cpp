#include "engine/logical_process.h"

#include <utility>

#include "engine/error.h"

namespace engine {

LogicalProcess::LogicalProcess(std::string kind, int index) : description_(std::make_unique<Description>()) {
    description_->name = kind;
    if (index >= 0) description_->name.append("[").append(std::to_string(index)).append("]");
    description_->kind = std::move(kind);
    description_->index = index;
}

LogicalProcess::~LogicalProcess() = default;

void LogicalProcess::serialize(Archive& /*archive*/) {
    throw ConfigError(name() + ": cannot be saved in a checkpoint: " + kind() + " has no function serialize()");
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

Time LogicalProcess::receive_several(Lane& lane, const Piece& piece) {
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
