// A slice of the L2 cache between requesters and a DRAM channel that are made by hand.
#pragma once

#include <gtest/gtest.h>

#include "models/base/laws.h"
#include "models/machine_parameters.h"
#include "models/processes/l2_slice.h"
#include "tests/models/bench.h"

namespace models {

using engine::Time;

// One slice of a machine with one slice and one DRAM channel; two requesters; cycles are two ticks, wires take one
// tick.
class L2SliceTest : public testing::Test {
  protected:
    static constexpr Time dram_time = 500, period = 2;

    L2SliceTest() {
        parameters.l2.slices.set("1");
        parameters.l2.requests_per_port.set("16");
    }
    void build(int dram_entries = 32, std::uint32_t link_width = 64) {
        slice = &simulation.add<L2Slice>(
            L2Slice::Shape{parameters.l2, 0, 2, {dram_entries}, 1, period, link_width, observed});
        simulation.connect(source.out, slice->requests, 1);
        simulation.connect(slice->replies, sink.in, 1);
        dram = &simulation.add<bench::Dram>("dram", -1, dram_time);
        simulation.connect(slice->dram_requests[0], dram->in, 1);
        simulation.connect(dram->out, slice->dram_replies[0], 1);
    }
    // Arrives at the slice at a clock edge, `cycle` cycles from the start.
    void request(Time cycle, BlockNumber block, MemoryOperation operation = MemoryOperation::read,
                 std::uint16_t requester = 0, std::uint16_t tag = 0, MemoryClient client = MemoryClient::texture,
                 SectorMask sectors = block_sectors) {
        MemoryRequest message;
        message.sectors = sectors;
        message.block = block;
        message.operation = operation;
        message.client = client;
        message.tag = RequestTag::of(0, tag);
        message.requester = requester;
        source.send_at(cycle * period - 1, message);
    }
    // Cycles from the start at which answers left the slice.
    std::vector<Time> answers(int requester = 0) const {
        std::vector<Time> cycles;
        for (const auto& [time, reply] : sink.arrivals)
            if (reply.requester == requester) cycles.push_back((time - 1) / period);
        return cycles;
    }
    std::vector<int> tags(int requester) const {
        std::vector<int> entries;
        for (const auto& [time, reply] : sink.arrivals)
            if (reply.requester == requester) entries.push_back(reply.tag.entry);
        return entries;
    }
    std::uint64_t counter(const std::string& name) const { return bench::counter(*slice, name); }
    void expect_laws() {
        Laws laws;
        slice->add_laws(laws);
        bench::expect_obeyed(laws, simulation);
        EXPECT_EQ(counter("dirtied"), counter("write_backs") - counter("written_around") + counter("overwritten") +
                                          slice->cache().dirty_lines());
    }

    MachineParameters parameters;
    Observed observed;
    engine::Simulation simulation;
    L2Slice* slice = nullptr;
    bench::Source<MemoryRequest>& source = simulation.add<bench::Source<MemoryRequest>>("source");
    bench::Sink<MemoryReply>& sink = simulation.add<bench::Sink<MemoryReply>>("sink");
    bench::Dram* dram = nullptr;
};

}  // namespace models
