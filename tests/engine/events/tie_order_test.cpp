#include "engine/events/tie_order.h"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/checkpoint.h"
#include "tests/engine/busy_machine.h"

namespace engine {
namespace {

struct Number {
    std::int64_t value;
};

// Sends 0 and 1, one time after another, to a port of its own and to a bundle: all arrive at one time.
class Sender : public EventDriven<Sender> {
  public:
    explicit Sender(int index) : EventDriven("sender", index) { wake_at(0); }
    void on_wake() {
        for (const std::int64_t value : {0, 1}) {
            single.send({10 * index() + value}, 5);
            bundle.send(0, {10 * index() + value}, 5);
        }
    }
    Out<Number> single{this, "single"};
    FanOut<Number> bundle{this, "bundle"};
};

class Receiver : public EventDriven<Receiver> {
  public:
    explicit Receiver(int senders)
        : EventDriven("receiver", -1),
          singles(this, "singles", senders, handler<&Receiver::on_single>) {}
    void on_single(const Number& number, int row) {
        EXPECT_EQ(number.value / 10, row);
        seen_singles.push_back(number.value);
        sum += static_cast<std::uint64_t>(number.value);
        bundle_first |= seen_singles.size() == 1 && !seen_bundle.empty();
    }
    void on_bundle(const Number& number, int sender) {
        EXPECT_EQ(number.value / 10, sender);
        seen_bundle.push_back(number.value);
        sum += static_cast<std::uint64_t>(1000 * number.value);
    }
    std::vector<std::int64_t> seen_singles, seen_bundle;
    bool bundle_first = false;
    Row<In<Number>> singles;
    FanIn<Number> bundle{this, "bundle", handler<&Receiver::on_bundle>};
    Counter sum{&counters(), "sum", "1", "of all, whatever their order"};
};

constexpr int senders = 7;

struct Ties {
    explicit Ties(std::uint64_t seed) {
        std::vector<FanOut<Number>*> from;
        for (int i = 0; i < senders; ++i) {
            auto& sender = simulation.add<Sender>(i);
            simulation.connect(sender.single, receiver.singles[i], 2);
            from.push_back(&sender.bundle);
        }
        simulation.connect_all(from, {&receiver.bundle}, 2);
        simulation.permute_ties(seed);
        simulation.run({});
    }
    Simulation simulation;
    Receiver& receiver = simulation.add<Receiver>(senders);
};

std::vector<std::int64_t> sorted(std::vector<std::int64_t> values) {
    std::sort(values.begin(), values.end());
    return values;
}

bool is_fifo(const std::vector<std::int64_t>& values) {
    for (std::int64_t i = 0; i < senders; ++i) {
        const auto first = std::find(values.begin(), values.end(), 10 * i);
        if (std::find(first, values.end(), 10 * i + 1) == values.end()) return false;
    }
    return true;
}

TEST(TieOrder, IsThatOfTheDeclarationWithoutASeed) {
    const Ties ties(0);
    EXPECT_THAT(ties.receiver.seen_singles, testing::BeginEndDistanceIs(2 * senders));
    EXPECT_EQ(ties.receiver.seen_singles, sorted(ties.receiver.seen_singles));
    EXPECT_EQ(ties.receiver.seen_bundle, sorted(ties.receiver.seen_bundle));
    EXPECT_FALSE(ties.receiver.bundle_first);
}

TEST(TieOrder, IsAnotherOneForEachSeedOverPortsAndOverSendersWhileChannelsStayFifo) {
    std::set<std::vector<std::int64_t>> singles, bundles;
    int bundle_first = 0;
    const std::vector<std::int64_t> all = Ties(0).receiver.seen_singles;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const Ties ties(seed);
        EXPECT_EQ(sorted(ties.receiver.seen_singles), all);
        EXPECT_EQ(sorted(ties.receiver.seen_bundle), all);
        EXPECT_TRUE(is_fifo(ties.receiver.seen_singles));
        EXPECT_TRUE(is_fifo(ties.receiver.seen_bundle));
        singles.insert(ties.receiver.seen_singles);
        bundles.insert(ties.receiver.seen_bundle);
        bundle_first += ties.receiver.bundle_first ? 1 : 0;
    }
    EXPECT_GT(singles.size(), 30U);
    EXPECT_EQ(bundles.size(), 8U);  // XOR with three bits
    EXPECT_GT(bundle_first, 0);
}

TEST(TieOrder, ChangesNothingWhereHandlersCommute) {
    const std::vector<std::uint64_t> expected = Ties(0).simulation.collect_counters();
    EXPECT_EQ(Ties(1).simulation.collect_counters(), expected);
    EXPECT_EQ(Ties(2).simulation.collect_counters(), expected);
    EXPECT_NE(Ties(1).simulation.collect_message_hashes().processes[0].last,
              Ties(0).simulation.collect_message_hashes().processes[0].last);
}

TEST(TieOrder, IsDrawnForEveryProcessByItself) {
    std::set<std::vector<int>> places;
    std::set<std::uint32_t> masks;
    for (int process = 0; process < 20; ++process) {
        const TieOrder tie(3, process, 10);
        EXPECT_THAT(tie.place, testing::UnorderedElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
        EXPECT_LT(tie.sender_mask, 1U << 20U);
        places.insert(tie.place);
        masks.insert(tie.sender_mask);
    }
    EXPECT_EQ(places.size(), 20U);
    EXPECT_EQ(masks.size(), 20U);
}

std::uint64_t digest(std::uint64_t seed, int threads, int stride) {
    busy::Machine machine({});
    machine.simulation.permute_ties(seed);
    Plan plan{1, threads, {}};
    for (int i = 0; i < static_cast<int>(machine.simulation.processes().size()); ++i)
        plan.worker.push_back(i / stride % threads);
    const std::uint64_t first = machine.digest(machine.simulation.run(plan));
    for (busy::Core* core : machine.cores) core->wake_at(core->index());
    return busy::mix(first) ^ machine.digest(machine.simulation.run(plan));
}

TEST(TieOrder, OfOneSeedGivesOneDigestForAllPlans) {
    for (const std::uint64_t seed : {0U, 1U, 2U}) {
        const std::uint64_t expected = digest(seed, 1, 1);
        for (const int threads : {2, 3, 8})
            for (const int stride : {1, 6}) EXPECT_EQ(digest(seed, threads, stride), expected) << seed;
    }
    EXPECT_NE(digest(1, 1, 1), digest(0, 1, 1));
    EXPECT_NE(digest(1, 1, 1), digest(2, 1, 1));
}

TEST(TieOrder, OfACheckpointMustBeThatOfTheMachineThatReadsIt) {
    busy::Machine written({}), read({});
    written.simulation.permute_ties(8);
    written.simulation.run({}, {.progress = {}, .until = 500});
    const std::vector<std::byte> bytes = Checkpoint::write(written.simulation);
    try {
        Checkpoint::read(read.simulation, bytes);
        FAIL();
    } catch (const ConfigError& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("tie seed 8, expected 0"));
    }
}

}  // namespace
}  // namespace engine
