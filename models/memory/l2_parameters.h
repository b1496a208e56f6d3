// Parameters of the shared second-level cache.
#pragma once

#include "models/base/clocks.h"

namespace models {

struct L2Parameters : ParameterGroup {
    L2Parameters(ParameterGroup* parent, std::string_view name, std::string_view doc);
    Parameter<Bytes> capacity{
        this, "capacity", {1 << 20}, {{1 << 12}, {1 << 28}}, "data capacity of all slices", "paper 004, Table I"};
    Parameter<int> slices{this, "slices", 8, {1, 64}, "slices (banks), interleaved by line", "paper 004, Table I"};
    Parameter<int> ways{this, "ways", 8, {1, 64}, "associativity", "paper 004, Table I"};
    Choice<std::size_t> replacement;
    Parameter<Cycles> latency{
        this, "latency", {18}, {{2}, {1000}}, "from a request's turn to its answer on a hit", "paper 004, Table I"};
    Parameter<Cycles> tag_latency{
        this, "tag_latency", {6}, {{1}, {999}}, "part of the latency until a miss is known and leaves", "design"};
    Parameter<int> mshrs{this, "mshrs", 16, {1, 1024}, "lines in flight from DRAM, per slice", "design"};
    Parameter<int> merges{this,
                          "merges",
                          64,
                          {1, 256},
                          "requests that may wait for one line in flight",
                          "design: all cores may miss a line at once"};
    Parameter<int> write_buffer{
        this, "write_buffer", 8, {1, 1024}, "lines that wait for DRAM to take them, per slice", "design"};
    Parameter<int> requests_per_port{
        this,
        "requests_per_port",
        4,
        {1, 256},
        "requests of one processor that a slice has room for; the answer returns the credit",
        "design"};
    void check() const override;
};

}  // namespace models
