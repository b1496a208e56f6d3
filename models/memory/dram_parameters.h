// Parameters of main memory.
#pragma once

#include "models/base/clocks.h"

namespace models {

enum class BandwidthOf : std::uint8_t { each_channel, all_channels };
enum class DataEdges : std::uint8_t { one, both };

struct DramParameters : ParameterGroup {
    using ParameterGroup::ParameterGroup;
    Parameter<Frequency> frequency{this,         "frequency",         {400'000'000}, {{1'000'000}, {10'000'000'000}},
                                   "DRAM clock", "paper 004, Table I"};
    Parameter<int> channels{this, "channels", 2, {1, 16}, "channels", "paper 004, Table I: dual channel LPDDR3"};
    Parameter<int> bytes_per_cycle{this,
                                   "bytes_per_cycle",
                                   4,
                                   {1, 1024},
                                   "data moved per DRAM cycle and edge; by whom, says bandwidth_of",
                                   "paper 004, Table I: 4 B/cycle"};
    Choice<BandwidthOf> bandwidth_of{
        this,
        "bandwidth_of",
        {{"each_channel", BandwidthOf::each_channel}, {"all_channels", BandwidthOf::all_channels}},
        BandwidthOf::each_channel,
        "what bytes_per_cycle is the bandwidth of",
        "a channel of LPDDR3 has 32 bits"};
    Choice<DataEdges> data_edges{this,
                                 "data_edges",
                                 {{"one", DataEdges::one}, {"both", DataEdges::both}},
                                 DataEdges::both,
                                 "edges of the clock that move data",
                                 "LPDDR3 moves data on both edges: 6.4 GB/s with paper 004's numbers"};
    Parameter<Cycles> row_hit_latency{this,
                                      "row_hit_latency",
                                      {50},
                                      {{1}, {10'000}},
                                      "DRAM cycles from request to the last byte when the row is open and all is idle",
                                      "paper 004, Table I: latency 50-100 cycles, taken as row hit and row miss"};
    Parameter<Cycles> row_miss_latency{this,
                                       "row_miss_latency",
                                       {100},
                                       {{1}, {10'000}},
                                       "the same when another row has to be closed first",
                                       "paper 004, Table I: latency 50-100 cycles, taken as row hit and row miss"};
    Parameter<int> row_hit_cap{this,
                               "row_hit_cap",
                               16,
                               {0, 1024},
                               "requests for an open row that may overtake an older one for another row of the bank",
                               "design"};
    Parameter<int> banks{this, "banks", 8, {1, 256}, "banks of a channel", "paper 004, Table I"};
    Parameter<Bytes> row{
        this, "row", {4096}, {{64}, {1 << 20}}, "bytes of an open row of a channel", "gem5, LPDDR3_1600_1x32"};
    Parameter<Bytes> interleave{this,    "interleave", {64}, {{64}, {1 << 20}}, "bytes before the next channel's turn",
                                "design"};
    Parameter<int> queue{this,
                         "queue",
                         32,
                         {1, 65536},
                         "entries of a channel's request queue, shared out among the L2 slices that it serves as "
                         "equally as can be",
                         "design"};
    Parameter<Bytes> size{this,
                          "size",
                          {1 << 30},
                          {{1 << 20}, {std::int64_t{1} << 37}},
                          "memory; its top holds the parameter buffers and the programs",
                          "paper 004, Table I"};
    void check() const override;

    // DRAM cycles in which a channel moves a line of 64 bytes.
    std::int64_t burst_cycles() const;
};

}  // namespace models
