// What is observed of cores, caches and memory besides their counters: at no cost worth measuring where it is not
// wanted, and without an effect on what is simulated where it is.
#pragma once

#include <cstdint>

#include "engine/histogram.h"
#include "engine/units.h"
#include "models/base/clocks.h"
#include "models/base/without_effect.h"

namespace models {

// Times in ticks.
struct Observed {
    bool latency = false, occupancy = false, reuse = false;
    std::uint32_t reuse_sampling = 1;  // a power of two
    engine::Time census_every = 0;     // 0: never
    engine::Time period = 1;           // of the clock in whose cycles latencies are counted
    int pipeline_cores = 0;            // of each kind, the first so many
    engine::Time pipeline_from = 0, pipeline_to = 0;
};

// The bins of all latencies of memory, in cycles: up to 16 exact, from there on at most an eighth of the value wide.
inline engine::BinScale latency_scale() {
    return engine::BinScale::logarithmic("latency_bin", 3, 1 << 14);
}

struct ObserveParameters : ParameterGroup {
    using ParameterGroup::ParameterGroup;
    engine::Flag latency{this, "latency", false,
                         "histograms of the latency of memory: at the port of every processor and at the L2 slices by "
                         "client, in DRAM by client, of the misses of every cache",
                         "costs up to a fifth of the simulation's speed"};
    engine::Flag occupancy{this, "occupancy", false,
                           "histogram of the MSHRs in use of every cache, looked at whenever a lookup is served",
                           "costs a percent of the simulation's speed"};
    engine::Flag reuse{this, "reuse", false,
                       "histogram of reuse distances of every cache: the other lines accessed since the last access to "
                       "a line",
                       "costs a few percent of the simulation's speed"};
    Parameter<int> reuse_sampling{
        this,
        "reuse_sampling",
        16,
        {1, 1024},
        "one of so many lines is looked at, chosen by a hash of its number; distances are scaled up. A power of two; "
        "1: all lines, and exact distances",
        "Waldspurger et al., Efficient MRC Construction with SHARDS (FAST 2015)"};
    Parameter<Cycles> census_every{
        this,
        "census_every",
        {0},
        {{0}, {1'000'000'000}},
        "cycles from one census of the lines in all texture caches to the next; 0: none, else at least 100",
        "paper 004, figure 1; every census takes 8 bytes a line until the end of the frame"};
    Parameter<Cycles> bandwidth_every{this,
                                      "bandwidth_every",
                                      {0},
                                      {{0}, {1'000'000'000}},
                                      "cycles in which the bytes moved by a DRAM channel are added up over time; 0: "
                                      "they are not, else at least 100",
                                      "as fine as wanted: 32 bytes an interval and channel"};
    engine::Flag owners{this, "owners", false,
                        "owner of every bucket and its accesses at the end of each epoch, where texture caches are one "
                        "by affinity tables",
                        "16 bytes a bucket and epoch until the end of the frame; 32 of each that a core claims"};
    Parameter<int> pipeline_cores{
        this,
        "pipeline_cores",
        0,
        {0, 1024},
        "cores of each kind, the first so many, whose instructions are recorded stage by stage; 0: none",
        "100 bytes an instruction until the end of the frame, at most 5000000 cycles of cores"};
    Parameter<Cycles> pipeline_from{this,
                                    "pipeline_from",
                                    {0},
                                    {{0}, {1'000'000'000'000}},
                                    "GPU cycle, counted from the beginning of a workload, from which on instructions "
                                    "that come into a pipeline are recorded",
                                    "as wanted: results say when each frame began"};
    Parameter<Cycles> pipeline_to{this,
                                  "pipeline_to",
                                  {10'000},
                                  {{1}, {1'000'000'000'000}},
                                  "GPU cycle from which on they are not recorded any more",
                                  "as many as are easily looked at"};
    void check() const override;
    void add_without_effect(WithoutEffect& found) const;

    Observed observed(const Clocks& clocks) const;
};

}  // namespace models
