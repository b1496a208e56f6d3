#include "engine/logical_process.h"

#include <utility>

namespace engine {

LogicalProcess::LogicalProcess(std::string kind, int index) : index_(index), kind_(std::move(kind)), name_(kind_) {
    if (index >= 0) name_.append("[").append(std::to_string(index)).append("]");
}

LogicalProcess::~LogicalProcess() = default;

}  // namespace engine
