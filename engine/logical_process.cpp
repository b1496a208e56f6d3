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

void LogicalProcess::advance_each(std::span<Due> all, Time until, std::atomic<int>& current) {
    for (Due& due : all) {
        if (due.time >= until) continue;
        current.store(due.number, std::memory_order_relaxed);
        due.process->advance(until);
        due.time = due.process->due();
    }
}

std::string LogicalProcess::situation() const {
    std::string text = "clock " + std::to_string(now_);
    text += wake_ == never ? ", asleep" : ", next step at " + std::to_string(wake_);
    return text;
}

}  // namespace engine
