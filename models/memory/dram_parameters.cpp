#include "models/memory/dram_parameters.h"

#include "models/frame_trace/frame_trace.h"

namespace models {
namespace {

constexpr std::int64_t line = block_bytes;

// Bytes of all channels in a cycle.
std::int64_t bandwidth(const DramParameters& dram) {
    return std::int64_t{dram.bytes_per_cycle()} * (dram.data_edges() == DataEdges::both ? 2 : 1) *
           (dram.bandwidth_of() == BandwidthOf::each_channel ? dram.channels() : 1);
}

}  // namespace

std::int64_t DramParameters::burst_cycles() const {
    return std::max<std::int64_t>(1, line * channels() / bandwidth(*this));
}

void DramParameters::check() const {
    const std::int64_t all = bandwidth(*this), burst = burst_cycles();
    require(line * channels() % all == 0 || all % (line * channels()) == 0,
            "dram.bytes_per_cycle: expected a channel to move a line of 64 bytes in whole cycles, found " +
                std::to_string(all) + " bytes per cycle of " + std::to_string(channels()) + " channels");
    require(row_hit_latency.count() > burst, "dram.row_hit_latency: expected more than the " + std::to_string(burst) +
                                                 " cycles in which a channel moves 64 bytes, found " +
                                                 std::to_string(row_hit_latency.count()));
    require(row_miss_latency() >= row_hit_latency(), "dram.row_miss_latency: expected at least dram.row_hit_latency (" +
                                                         std::to_string(row_hit_latency.count()) + "), found " +
                                                         std::to_string(row_miss_latency.count()));
    require(interleave.count() % line == 0,
            "dram.interleave: expected a multiple of 64 B, found " + std::to_string(interleave.count()) + " B");
    require(
        row.count() % interleave.count() == 0 || interleave.count() % row.count() == 0,
        "dram.row: expected a multiple or a divisor of dram.interleave, found " + std::to_string(row.count()) + " B");
    require(row.count() % line == 0,
            "dram.row: expected a multiple of 64 B, found " + std::to_string(row.count()) + " B");
}

}  // namespace models
