// A component of immediate rendering with a scene, behind the memory port of a host, before a memory that answers after
// 40 cycles.
#pragma once

#include <utility>
#include <vector>

#include "tests/models/hosted_fixture.h"

namespace models {

class ComponentTest : public HostedTest {
  protected:
    using Time = engine::Time;
    using Event = std::pair<Time, std::uint32_t>;  // when, and which
    static constexpr Time memory_time = 40, lookup = 2;
    static constexpr Time trip = lookup + 1 + memory_time + 1;  // from the lookup that misses to the answer

    ComponentTest() : HostedTest(Rendering::immediate) {}

    void attach(int credits = 64) { build_host(memory_time, credits); }
    // Requests of a cache of surfaces.
    template <class Component>
    void hear(Component& component) {
        host->on_answer = [&component](Time now, const MemoryReply& reply) {
            component.on_reply(now, reply);
            component.retry();
        };
    }
    template <class Component>
    void flush_at(Time time, Component& component) {
        host->at(time, [&component](Time) {
            ASSERT_TRUE(component.can_flush());
            component.begin_flush();
        });
    }
    // Lines that were asked for with an operation, in order, counted from the first one of a surface.
    std::vector<BlockNumber> lines_of(MemoryClient client, BlockNumber surface, MemoryOperation operation) const {
        std::vector<BlockNumber> all;
        for (const auto& [time, request] : memory->seen) {
            EXPECT_EQ(request.client, client);
            if (request.operation == operation) all.push_back(request.block - surface);
        }
        return all;
    }

    Time now_ = 0;
};

}  // namespace models
