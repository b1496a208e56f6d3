#include "models/memory/cache_observer.h"

#include <list>
#include <random>

#include <gtest/gtest.h>

#include "models/memory/cache.h"
#include "tests/models/bench.h"

namespace models {
namespace {

using engine::Time;

// The values in the bins of a histogram of a list.
std::vector<std::uint64_t> bins(const engine::CounterList& list, const std::string& name) {
    std::vector<std::uint64_t> all;
    for (const engine::CounterInfo& info : list.all())
        if (info.name == name) all.push_back(*info.value);
    return all;
}
std::uint64_t bin(const engine::CounterList& list, const std::string& name, std::uint64_t value) {
    for (const engine::CounterInfo& info : list.all())
        if (info.name == name && info.bins->bin_of(value) == info.bin) return *info.value;
    return 0;
}
std::uint64_t sum(const std::vector<std::uint64_t>& values) {
    std::uint64_t all = 0;
    for (const std::uint64_t value : values) all += value;
    return all;
}

TEST(CacheObserver, DeclaresWhatIsWantedOnly) {
    engine::CounterList list({"cache", -1});
    Observed observed;
    EXPECT_FALSE(CacheObserver::is_wanted(observed));
    const CacheObserver none(&list, observed, 4);
    EXPECT_TRUE(list.all().empty());
    observed.occupancy = true;
    EXPECT_TRUE(CacheObserver::is_wanted(observed));
    const CacheObserver some(&list, observed, 4);
    EXPECT_EQ(list.all().size(), 5U);
}

TEST(CacheObserver, FindsReuseDistancesOfAListOfLines) {
    engine::CounterList list({"cache", -1});
    Observed observed;
    observed.reuse = true;
    CacheObserver observer(&list, observed, 4);
    std::list<LineNumber> stack;  // most recent first
    std::vector<std::uint64_t> expected(engine::BinScale::logarithmic("reuse_bin", 2, 1 << 24).size(), 0);
    std::uint64_t first = 0;
    std::mt19937 random(1);
    for (int i = 0; i < 20'000; ++i) {
        const auto line = static_cast<LineNumber>(random() % (1 + random() % 300));
        std::size_t distance = 0;
        auto place = stack.begin();
        for (; place != stack.end() && *place != line; ++place) ++distance;
        if (place == stack.end()) {
            ++first;
        } else {
            stack.erase(place);
            ++expected[engine::BinScale::logarithmic("reuse_bin", 2, 1 << 24).bin_of(distance)];
        }
        stack.push_front(line);
        observer.looked_up(line, 0);
    }
    EXPECT_EQ(bins(list, "reuse_distance"), expected);
    EXPECT_EQ(sum(bins(list, "reuse_first")), first);
}

// Lines in turn: each has the distance of all others.
TEST(CacheObserver, EstimatesReuseDistancesFromSampledLines) {
    engine::CounterList list({"cache", -1});
    Observed observed;
    observed.reuse = true;
    observed.reuse_sampling = 16;
    CacheObserver observer(&list, observed, 4);
    constexpr std::uint32_t lines = 32'768;
    for (int round = 0; round < 3; ++round)
        for (LineNumber line = 0; line < lines; ++line) observer.looked_up(line, 0);
    const std::uint64_t first = sum(bins(list, "reuse_first"));
    EXPECT_NEAR(static_cast<double>(first), lines / 16, lines / 16 * 0.05);
    std::uint64_t near = 0;
    for (const std::uint64_t value : {lines / 8 * 7, lines}) near += bin(list, "reuse_distance", value);
    EXPECT_EQ(near, 2 * first);  // within an eighth
    EXPECT_EQ(sum(bins(list, "reuse_distance")), 2 * first);
}

// A cache before a memory that answers after 100 cycles, one there and one back.
TEST(CacheObserver, KnowsTheLatencyAndTheMshrsOfACache) {
    ParameterGroup root;
    CacheParameters parameters(&root, "cache", "of a test", {{256}, 2, {3}, 2, "test"});
    parameters.ports.set("16");
    engine::Simulation simulation;
    MemoryPortShape shape{1, 64, 1, 0, block_bytes};
    shape.observed.latency = shape.observed.occupancy = true;
    bench::Host& host = simulation.add<bench::Host>(shape);
    host.attach_memory(simulation, 100);
    Cache cache(&host.counters(), parameters.shape(1), {host.memory, 5, MemoryClient::vertex});
    host.on_answer = [&](Time now, const MemoryReply& reply) { cache.fill(now, reply.tag); };
    host.at(10, [&](Time now) {
        EXPECT_EQ(cache.read(now, 6, 0, {}), Cache::Outcome::waiting);
        EXPECT_EQ(cache.read(now, 6, 0, {}), Cache::Outcome::waiting);
        EXPECT_EQ(cache.read(now, 7, 0, {}), Cache::Outcome::waiting);
        EXPECT_EQ(cache.read(now, 8, 0, {}), Cache::Outcome::refused);
    });
    host.at(500, [&](Time now) { EXPECT_EQ(cache.read(now, 6, 0, {}), Cache::Outcome::hit); });
    simulation.run({});
    EXPECT_EQ(bins(host.counters(), "mshrs_used"), (std::vector<std::uint64_t>{1, 2, 1}));
    EXPECT_EQ(sum(bins(host.counters(), "fill_latency")), 2U);
    EXPECT_EQ(bin(host.counters(), "fill_latency", 3 + 1 + 100 + 1), 2U);  // 104 to 111
    // From the port, without the lookup; the second request left a cycle later.
    EXPECT_EQ(bin(host.counters(), "memory_latency_vertex", 1 + 100 + 1), 2U);
    EXPECT_EQ(sum(bins(host.counters(), "memory_latency_texture")), 0U);
    EXPECT_EQ(sum(bins(host.counters(), "memory_write_latency")), 0U);
}

TEST(RoundTrips, BelongToTheOldestRequestThatIsLikeThem) {
    engine::CounterList list({"port", -1});
    RoundTrips trips(&list, 2);
    MemoryRequest read, write;
    read.block = write.block = 5;
    read.client = MemoryClient::depth;
    write.operation = MemoryOperation::write_line;
    trips.sent(read, read.block, 100);
    trips.sent(write, write.block, 102);
    trips.sent(read, read.block, 104);
    trips.answered(MemoryReply::to(write), 122);
    trips.answered(MemoryReply::to(read), 130);
    trips.answered(MemoryReply::to(read), 132);
    EXPECT_EQ(bin(list, "memory_write_latency", 10), 1U);
    EXPECT_EQ(bin(list, "memory_latency_depth", 15), 1U);
    EXPECT_EQ(bin(list, "memory_latency_depth", 14), 1U);
}

}  // namespace
}  // namespace models
