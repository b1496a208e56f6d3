#include "models/memory_port.h"

namespace models {

MemoryPortShape::MemoryPortShape(const MachineParameters& parameters, Cycles least_delay_cycles)
    : slices(parameters.l2.slices()),
      credits(parameters.l2.requests_per_port()),
      period(Clocks(parameters).gpu),
      least_delay(least_delay_cycles.count * period),
      data_injection(
          ((block_bytes + parameters.network.link_width.count() - 1) / parameters.network.link_width.count()) *
          period) {}

MemoryPort::MemoryPort(engine::LogicalProcess* process, const MemoryPortShape& shape)
    : requests(process, "requests", shape.slices, shape.least_delay),
      reads(&process->counters(), "memory_reads", "1", "lines requested from the L2 cache"),
      writes(&process->counters(), "memory_writes", "1", "writes sent to the L2 cache"),
      replies(&process->counters(), "memory_replies", "1", "answers from the L2 cache"),
      shape_(shape),
      credits_(static_cast<std::size_t>(shape.slices), shape.credits) {}

int MemoryPort::in_flight() const {
    int count = 0;
    for (const int credits : credits_) count += shape_.credits - credits;
    return count;
}

}  // namespace models
