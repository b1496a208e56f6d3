#include "models/memory/snoop_port.h"

#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/base/laws.h"
#include "tests/models/bench.h"

namespace models {
namespace {

using engine::Time;
using testing::ElementsAre;

// Two caches with three MSHRs each before a memory that answers after 100 cycles.
class SnoopPortTest : public testing::Test {
  protected:
    SnoopPortTest() {
        host = &simulation.add<bench::Host>();
        memory = &host->attach_memory(simulation, 100);
        for (int i = 0; i < 2; ++i)
            caches.push_back(std::make_unique<Cache>(engine::CounterScope(&host->counters(), {"cache", i}),
                                                     parameters.shape(1),
                                                     Cache::Site{host->memory, i, MemoryClient::texture}));
        port = std::make_unique<SnoopPort>(engine::CounterScope(&host->counters(), {"snoop_port", 0}),
                                           std::array<Cache*, 2>{caches[0].get(), caches[1].get()}, 16);
        host->on_answer = [this](Time now, const MemoryReply& reply) {
            caches[reply.tag.part]->fill(now, reply.tag);
            port->retry();
        };
        host->cycle = [this](Time now) { return port->step(now) ? now + 1 : engine::never; };
    }
    void push(Time time, std::size_t cache, const std::vector<BlockNumber>& blocks) {
        host->at(time, [=, this](Time) {
            for (const BlockNumber block : blocks) port->push(cache, {block, {}, block % 2});
        });
    }
    std::vector<std::pair<Time, BlockNumber>> requests() const {
        std::vector<std::pair<Time, BlockNumber>> all;
        for (const auto& [time, request] : memory->seen) all.emplace_back(time, request.block);
        return all;
    }
    void run() {
        simulation.run({});
        EXPECT_TRUE(port->is_empty());
        Laws laws;
        port->add_laws(laws, "port");
        for (const auto& cache : caches) {
            cache->end_frame();
            cache->add_laws(laws, "cache");
        }
        bench::expect_obeyed(laws, simulation);
    }

    ParameterGroup root;
    CacheParameters parameters{&root, "cache", "of a test", {{1024}, 2, {2}, 3, "this test"}};
    engine::Simulation simulation;
    bench::Host* host = nullptr;
    bench::Memory* memory = nullptr;
    std::vector<std::unique_ptr<Cache>> caches;
    std::unique_ptr<SnoopPort> port;
};

TEST_F(SnoopPortTest, LooksOnceACycleAndFetchesWhatIsNotThere) {
    push(10, 0, {5, 5});
    push(10, 1, {6});
    run();
    EXPECT_THAT(requests(), ElementsAre(std::pair<Time, BlockNumber>{13, 5}, std::pair<Time, BlockNumber>{15, 6}));
    EXPECT_EQ(port->lookups.value(), 3U);
    EXPECT_EQ(port->hits.value(), 1U);
    EXPECT_EQ(port->fetched.value(), 2U);
    EXPECT_EQ(port->fetched_with_source.value(), 1U);
    EXPECT_TRUE(caches[0]->holds(5));
    EXPECT_TRUE(caches[1]->holds(6));
}

TEST_F(SnoopPortTest, WaitsForAnMshrWhileTheOtherCacheIsServed) {
    push(10, 0, {1, 2, 3, 4});
    push(10, 1, {7});
    run();
    EXPECT_EQ(port->put_off.value(), 1U);  // the third; both are served after the first answer
    std::vector<BlockNumber> order;
    for (const auto& [time, block] : requests()) order.push_back(block);
    EXPECT_THAT(order, ElementsAre(1, 2, 7, 3, 4));
    EXPECT_GT(requests()[3].first, 100);
    EXPECT_EQ(port->fetched.value(), 5U);
}

TEST_F(SnoopPortTest, TakesNoPortFromAccesses) {
    push(10, 0, {1});
    host->at(11, [this](Time) {});
    run();
    host->at(200, [this](Time now) {
        port->push(0, {2, {}, 0});
        EXPECT_TRUE(port->step(now));
        EXPECT_EQ(caches[0]->read(now, 1, 0, {}), Cache::Outcome::hit);
    });
    run();
}

}  // namespace
}  // namespace models
