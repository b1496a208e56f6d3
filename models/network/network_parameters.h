// Parameters of the network on chip between processors and the second-level cache.
//
// Every message goes to the middle of the network over wires (request_latency or response_latency), through its arbiter
// or its routers, and from there over wires to whom it is for (delivery_latency); the wires are the same for all kinds
// of network, which so differ in contention only. A hit of a texture in the L2 cache of bifrost32 takes, when nothing
// else is under way,
//
//     2 lookup + 2 injection + 10 request + 1 bus + 12 delivery + 18 L2 cache + 1 response + b bus + 12 delivery
//
// cycles before it is filtered, 58 + b with b = 64 B / bus.width; mobile GPUs have 40 to 100. The least lookahead of
// the way to memory is the least of lookup + injection_latency + request_latency and 1 + delivery_latency.
#pragma once

#include "models/base/clocks.h"

namespace models {

struct NetworkParameters : ParameterGroup {
    NetworkParameters(ParameterGroup* parent, std::string_view name, std::string_view doc);
    Choice<std::size_t> kind;
    Parameter<Cycles> injection_latency{
        this,
        "injection_latency",
        {2},
        {{1}, {1000}},
        "cycles from a miss until its request leaves the processor: arbitration among its parts, injection",
        "design"};
    Parameter<Cycles> request_latency{this,
                                      "request_latency",
                                      {10},
                                      {{1}, {1000}},
                                      "cycles from a processor to the arbiter or router of the network",
                                      "design: with those below, 59 cycles for a hit in the L2 cache"};
    Parameter<Cycles> response_latency{this,
                                       "response_latency",
                                       {1},
                                       {{1}, {1000}},
                                       "cycles from an L2 slice to the arbiter or router of the network",
                                       "design"};
    Parameter<Cycles> delivery_latency{
        this,
        "delivery_latency",
        {12},
        {{1}, {1000}},
        "cycles from the arbiter or the last router to the L2 slice or processor that a message is for",
        "design"};
    Parameter<Cycles> memory_latency{
        this, "memory_latency", {7}, {{1}, {1000}}, "cycles between an L2 slice and a DRAM channel", "design"};
    Parameter<Cycles> pipeline_latency{
        this,
        "pipeline_latency",
        {11},
        {{1}, {1000}},
        "cycles between neighbours in the graphics pipeline (geometry, raster, cores, colour)",
        "design"};
    Parameter<Cycles> hop{this,
                          "hop",
                          {2},
                          {{1}, {1000}},
                          "cycles from a decision to the departure of what is told to a neighbour in the pipeline",
                          "design: a queue is written and read"};
    Parameter<Cycles> credit_patience{
        this,
        "credit_patience",
        {8},
        {{0}, {1000}},
        "cycles for which freed entries of a queue are collected before their credits go back together; half of a "
        "queue goes back at once, so entries of queues with at most 3 (of a core) are never collected",
        "design"};
    Parameter<Bytes> link_width{
        this,
        "link_width",
        {64},
        {{1}, {64}},
        "bytes of data a cycle that a processor or a slice injects, and that an output of a crossbar delivers; a "
        "message takes at least one cycle",
        "design"};
};

}  // namespace models
