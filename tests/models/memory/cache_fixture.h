// A small cache between a host that reads and writes at given times and a memory.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "models/base/laws.h"
#include "models/memory/cache.h"
#include "tests/models/bench.h"

namespace models {

// A cache of 2 sets of 2 ways with 3 cycles of lookup and 2 MSHRs, before a memory that answers after 100 cycles.
class CacheTest : public testing::Test {
  protected:
    using Time = engine::Time;
    using Outcome = Cache::Outcome;
    static constexpr Time lookup = 3, memory_time = 100;
    static constexpr Time miss_time = lookup + 1 + memory_time + 1;  // with a cycle there and one back

    CacheTest() {
        parameters.ports.set("16");  // what is not about them
        parameters.fill_cycles.set("0");
    }
    void build(int credits = 64) {
        host = &simulation.add<bench::Host>(credits);
        memory = &host->attach_memory(simulation, memory_time);
        cache = std::make_unique<Cache>(&host->counters(), parameters.shape(1),
                                        Cache::Site{host->memory, 5, MemoryClient::vertex});
        host->on_answer = [this](Time now, const MemoryReply& reply) {
            if (reply.operation != MemoryOperation::read) {
                cache->on_written();
                return;
            }
            for (const std::uint32_t waiter : cache->fill(now, reply.tag)) filled.emplace_back(now, waiter);
        };
    }
    void read(Time time, BlockNumber block, std::uint32_t waiter = 0) {
        host->at(time, [=, this](Time now) { outcomes.push_back(cache->read(now, block, waiter, {})); });
    }
    void write(Time time, BlockNumber block, std::uint32_t waiter = 0) {
        host->at(time, [=, this](Time now) { outcomes.push_back(cache->write(now, block, waiter, {})); });
    }
    // From this time on, what has to go back is sent.
    void write_back_from(Time time) {
        host->at(time, [this](Time) {
            host->cycle = [this](Time now) { return cache->write_back(now) ? now + 1 : engine::never; };
        });
    }
    std::vector<BlockNumber> blocks(MemoryOperation operation) const {
        std::vector<BlockNumber> all;
        for (const auto& [time, request] : memory->seen)
            if (request.operation == operation) all.push_back(request.block);
        return all;
    }
    void expect_laws() {
        Laws laws;
        cache->add_laws(laws, "cache");
        bench::expect_obeyed(laws, simulation);
    }

    ParameterGroup root;
    CacheParameters parameters{&root, "cache", "of a test", {{256}, 2, {lookup}, 2, "this test", 2}};
    engine::Simulation simulation;
    bench::Host* host = nullptr;
    bench::Memory* memory = nullptr;
    std::unique_ptr<Cache> cache;
    std::vector<Outcome> outcomes;
    std::vector<std::pair<Time, std::uint32_t>> filled;
};

}  // namespace models
