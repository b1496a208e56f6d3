#include "models/memory/memory_port.h"

namespace models {

MemoryPort::MemoryPort(engine::LogicalProcess* process, const MemoryPortShape& shape, engine::Time least_lookup)
    : requests(process, "requests", least_lookup + shape.injection_delay),
      reads(&process->counters(), "memory_reads", memory_client_names, "1", "lines requested from the L2 cache"),
      writes(&process->counters(), "memory_writes", memory_client_names, "1", "writes sent to the L2 cache"),
      replies(&process->counters(), "memory_replies", "1", "answers from the L2 cache"),
      shape_(shape),
      credits_(static_cast<std::size_t>(shape.slices), shape.credits) {}

int MemoryPort::in_flight() const {
    int count = 0;
    for (const int credits : credits_) count += shape_.credits - credits;
    return count;
}

}  // namespace models
