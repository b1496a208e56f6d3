#include "models/pipeline/uploader.h"

namespace models {

Uploader::Uploader(const engine::CounterScope& scope, UploadPath path, const Workload& workload, MemoryPort& memory,
                   int part, engine::Time period)
    : lines_uploaded(scope, "lines_uploaded", "1", "lines that the driver wrote to memory"),
      workload_(workload),
      memory_(&memory),
      tag_(RequestTag::of(part)),
      operation_(path == UploadPath::l2 ? MemoryOperation::write_line : MemoryOperation::write_through),
      costs_(path != UploadPath::free),
      period_(period) {}

void Uploader::begin_frame() {
    run_ = next_line_ = 0;
}

bool Uploader::step(engine::Time now) {
    if (is_done()) return false;
    const std::vector<BlockRun>& runs = workload_.uploads().runs();
    const BlockNumber block = runs[run_].first + next_line_;
    if (!memory_->can_send(block)) return false;
    memory_->send(now, {block, tag_, operation_, MemoryClient::upload, {}}, period_);
    ++lines_uploaded;
    if (++next_line_ == runs[run_].count) {
        next_line_ = 0;
        ++run_;
    }
    return true;
}

}  // namespace models
