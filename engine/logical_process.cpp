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

std::string LogicalProcess::situation() const {
    std::string text = "clock " + std::to_string(now_);
    text += wake_ == never ? ", asleep" : ", next step at " + std::to_string(wake_);
    return text;
}

}  // namespace engine
