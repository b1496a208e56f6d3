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
        port = std::make_unique<SnoopPort>(host, engine::CounterScope(&host->counters(), {"snoop_port", 0}),
                                           SnoopPort::Shape{16, 16, 1, 32},
                                           std::array<Cache*, 2>{caches[0].get(), caches[1].get()}, host->memory);
        answers = &simulation.add<bench::Sink<MemoryReply>>("peer");
        simulation.connect(port->answers[0], answers->in, 1);
        host->on_answer = [this](Time now, const MemoryReply& reply) {
            if (reply.tag.part == of_peer) return;
            for (const std::uint32_t waiter : caches[reply.tag.part]->fill(now, reply.tag)) port->hand_on(now, waiter);
            port->retry();
        };
        host->cycle = [this](Time now) {
            port->step(now);
            return port->is_empty() ? engine::never : now + 1;
        };
    }
    void push(Time time, std::size_t cache, const std::vector<BlockNumber>& blocks) {
        host->at(time, [=, this](Time) {
            for (const BlockNumber block : blocks)
                port->push(cache, {block, {}, block % 2 == 1 ? std::uint16_t{5} : PrefetchBlock::no_source});
        });
    }
    // Of another cluster, for the block in this cache.
    void ask(Time time, std::uint16_t cache, BlockNumber block) {
        host->at(time, [=, this](Time) {
            MemoryRequest request;
            request.block = block;
            request.tag = RequestTag::of(of_peer, block);
            request.requester = 3;
            request.peer = static_cast<std::uint16_t>(4 + cache);
            port->push(request);
        });
    }
    static constexpr int of_peer = 9;  // part of a process elsewhere
    std::vector<std::pair<Time, BlockNumber>> requests() const {
        std::vector<std::pair<Time, BlockNumber>> all;
        for (const auto& [time, request] : memory->seen) all.emplace_back(time, request.block);
        return all;
    }
    void run() {
        simulation.run({});
        EXPECT_TRUE(port->is_empty());
        EXPECT_TRUE(port->awaits_no_line());
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
    bench::Sink<MemoryReply>* answers = nullptr;
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
    EXPECT_EQ(port->redirected.value(), 1U);
    EXPECT_EQ(memory->seen[0].second.peer, 5);
    EXPECT_FALSE(memory->seen[1].second.asks_peer());
    EXPECT_EQ(host->memory.reads[static_cast<std::size_t>(MemoryClient::texture)].value(), 1U);
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
    host->at(11, [](Time) {});
    run();
    host->at(200, [this](Time now) {
        port->push(0, {2, {}, PrefetchBlock::no_source});
        EXPECT_EQ(port->step(now), SnoopPort::Served::own);
        EXPECT_EQ(caches[0]->read(now, 1, 0, {}), Cache::Outcome::hit);
    });
    run();
}

TEST_F(SnoopPortTest, SendsAPeerWhatIsThereAfterALookupOfTheCache) {
    push(10, 0, {4});
    ask(200, 0, 4);
    run();
    ASSERT_EQ(answers->arrivals.size(), 1U);
    EXPECT_EQ(answers->arrivals[0].time, 200 + caches[0]->latency() + 1);
    const MemoryReply& reply = answers->arrivals[0].message;
    EXPECT_EQ(reply.block, 4U);
    EXPECT_EQ(reply.requester, 3U);
    EXPECT_EQ(reply.tag.part, of_peer);
    EXPECT_EQ(reply.tag.entry, 4);
    EXPECT_EQ(reply.operation, MemoryOperation::read);
    EXPECT_EQ(port->peer_hits.value(), 1U);
    EXPECT_EQ(memory->seen.size(), 1U);
}

TEST_F(SnoopPortTest, SendsLinesAsFastAsTheLinkTakesThem) {
    push(10, 0, {2, 4});
    ask(200, 0, 2);
    ask(200, 0, 4);
    run();
    ASSERT_EQ(answers->arrivals.size(), 2U);
    EXPECT_EQ(answers->arrivals[1].time - answers->arrivals[0].time, 2);  // 64 bytes, 32 a cycle
}

TEST_F(SnoopPortTest, PassesOnWhatItsCacheDoesNotHaveAsIfItCameFromWhoAsked) {
    push(10, 0, {4});
    ask(200, 1, 4);  // the other cache
    run();
    EXPECT_TRUE(answers->arrivals.empty());
    EXPECT_EQ(port->peer_passed_on.value(), 1U);
    ASSERT_EQ(memory->seen.size(), 2U);
    const MemoryRequest& request = memory->seen[1].second;
    EXPECT_EQ(request.block, 4U);
    EXPECT_EQ(request.requester, 3U);
    EXPECT_EQ(request.is_passed_on, 1);
    EXPECT_FALSE(request.asks_peer());
    EXPECT_EQ(request.tag.part, of_peer);
    EXPECT_FALSE(caches[1]->holds(4));
    EXPECT_EQ(host->memory.reads[static_cast<std::size_t>(MemoryClient::texture)].value(), 1U);
}

TEST_F(SnoopPortTest, LetsPeersWaitForLinesOnTheirWayFromMemoryOnly) {
    push(10, 0, {4, 7});  // 7 comes from another cache
    ask(20, 0, 4);
    ask(20, 0, 7);
    run();
    EXPECT_EQ(port->peer_merged.value(), 1U);
    EXPECT_EQ(port->peer_passed_on.value(), 1U);
    ASSERT_EQ(answers->arrivals.size(), 1U);
    EXPECT_EQ(answers->arrivals[0].message.block, 4U);
    EXPECT_GT(answers->arrivals[0].time, 100);
    EXPECT_EQ(caches[0]->prefetches_late.value(), 0U);
}

TEST_F(SnoopPortTest, LooksForPeersFirst) {
    push(10, 0, {4});
    host->at(200, [this](Time) { port->push(0, {8, {}, PrefetchBlock::no_source}); });
    ask(200, 0, 4);
    run();
    ASSERT_EQ(answers->arrivals.size(), 1U);
    EXPECT_EQ(answers->arrivals[0].time, 200 + caches[0]->latency() + 1);
    EXPECT_EQ(requests()[1].first, requests()[0].first + 200 - 10 + 1);
}

TEST_F(SnoopPortTest, ReadsDataByTheBankOfTheLine) {
    push(10, 0, {4});
    ask(200, 0, 4);
    host->at(200, [this](Time now) {
        EXPECT_EQ(caches[0]->read(now, 4, 0, {}), Cache::Outcome::hit);
        const Time bank = now;
        EXPECT_EQ(port->step(bank), SnoopPort::Served::nothing);
        EXPECT_TRUE(port->has_peer_requests());
    });
    run();
    ASSERT_EQ(answers->arrivals.size(), 1U);
    EXPECT_EQ(answers->arrivals[0].time, 201 + caches[0]->latency() + 1);
    EXPECT_EQ(caches[0]->conflicts.value(), 2U);  // that of the host's own step, too
}

}  // namespace
}  // namespace models
