#include "models/pipeline/command_reader.h"

namespace models {

CommandReader::CommandReader(const engine::CounterScope& scope, const GeometryParameters& parameters,
                             const Workload& workload, MemoryPort& memory, int part, engine::Time period)
    : command_lines(scope, "command_lines", "1", "lines of commands read"),
      workload_(workload),
      memory_(&memory),
      part_(part),
      period_(period),
      // The lines of the next draw have to fit, with one that it shares with the draw before.
      arrived_(static_cast<std::size_t>(parameters.command_lines()) +
               static_cast<std::size_t>(parameters.command_bytes.count()) / block_bytes + 1) {}

void CommandReader::begin_frame() {
    taken_ = line_ = 0;
}

bool CommandReader::has_draw() const {
    const CommandStream& stream = workload_.commands();
    if (stream.lines() == 0) return true;
    const std::uint32_t end = stream.lines_of(taken_ + 1);
    if (end > line_) return false;
    for (std::uint32_t line = stream.whole_lines_of(taken_); line < end; ++line)
        if (arrived_[line % arrived_.size()] == 0) return false;
    return true;
}

bool CommandReader::step(engine::Time now) {
    const CommandStream& stream = workload_.commands();
    if (line_ == stream.lines() || line_ - stream.whole_lines_of(taken_) >= arrived_.size()) return false;
    MemoryRequest request;
    request.block = stream.block(line_);
    if (!memory_->can_send(request.block)) return false;
    const std::size_t place = line_ % arrived_.size();
    request.tag = RequestTag::of(part_, place);
    request.client = MemoryClient::command;
    request.attribution.draw = stream.draw_of(line_);
    memory_->send(now, request, period_);
    arrived_[place] = 0;
    ++line_;
    ++command_lines;
    return true;
}

}  // namespace models
