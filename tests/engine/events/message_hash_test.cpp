#include "engine/events/message_hash.h"

#include <set>

#include <gtest/gtest.h>

#include "engine/checkpoint.h"
#include "tests/engine/busy_machine.h"

namespace engine {
namespace {

using busy::Machine;
using busy::Shape;

struct Words {
    std::uint64_t words[5];
};
struct Bytes9 {
    std::uint8_t bytes[9];
};
struct Nothing {};

template <Message M>
std::uint64_t hash_of(Time time, std::uint64_t order, const M& message, std::uint64_t before = 7) {
    MessageHash hash;
    hash.absorb(0, 0, Words{{before}});
    hash.absorb(time, order, message);
    return hash.value();
}

TEST(MessageHash, EveryBitOfAMessageAndOfWhatCameBeforeCounts) {
    std::set<std::uint64_t> seen;
    std::size_t cases = 1;
    seen.insert(hash_of(1, 2, Words{}));
    for (unsigned bit = 0; bit < 64; ++bit) {
        const std::uint64_t flip = std::uint64_t{1} << bit;
        for (const int word : {0, 1, 2, 3, 4}) {
            Words words{};
            words.words[word] = flip;
            seen.insert(hash_of(1, 2, words));
        }
        seen.insert(hash_of(1, 2 ^ flip, Words{}));
        seen.insert(hash_of(1, 2, Words{}, 7 ^ flip));
        cases += 7;
        if (bit == 63) continue;  // no time
        seen.insert(hash_of(static_cast<Time>(1 ^ flip), 2, Words{}));
        ++cases;
    }
    EXPECT_EQ(seen.size(), cases);
}

TEST(MessageHash, OnlyTheBytesOfAMessageCount) {
    std::set<std::uint64_t> seen;
    for (unsigned i = 0; i < 9; ++i) {
        Bytes9 message{};
        message.bytes[i] = 1;
        seen.insert(hash_of(1, 2, message));
    }
    EXPECT_EQ(seen.size(), 9U);
    EXPECT_EQ(hash_of(1, 2, Nothing{}), hash_of(1, 2, Nothing{}));
    EXPECT_NE(hash_of(1, 2, Nothing{}), hash_of(1, 3, Nothing{}));
}

TEST(MessageHash, DependsOnTheOrder) {
    MessageHash forth, back;
    forth.absorb(5, 0, Words{{1}});
    forth.absorb(5, 1, Words{{2}});
    back.absorb(5, 1, Words{{2}});
    back.absorb(5, 0, Words{{1}});
    EXPECT_NE(forth.value(), back.value());
}

// Against what one would keep with unbounded memory: the hash after every window.
TEST(MessageHash, SamplesAreTheHashesAtTheEndsOfEpochs) {
    for (const Time step : {1, 3, 50, 1000, 100000}) {
        const Windows windows(7);
        MessageHash hash;
        std::vector<std::pair<Time, std::uint64_t>> truth;  // hash from this window on
        Time last = 0;
        for (Time i = 0; i < 700; ++i) {
            const Time window = i * step + static_cast<Time>(busy::mix(static_cast<std::uint64_t>(i)) % 3);
            if (window < last) continue;
            last = window;
            if (hash.is_due(windows.end(window))) hash.sample_before(window, windows);
            hash.absorb(windows.start(window), 0, Words{{static_cast<std::uint64_t>(i)}});
            truth.emplace_back(window, hash.value());
        }
        const Time epoch = MessageHash::epoch_for(last + 1);
        ASSERT_GE(epoch, hash.epoch());
        ASSERT_LE((last + epoch) / epoch, static_cast<Time>(MessageHash::most_samples));
        for (Time end = epoch; end < last + 2 * epoch; end += epoch) {
            std::uint64_t expected = MessageHash().value();
            for (const auto& [window, value] : truth)
                if (window < end) expected = value;
            EXPECT_EQ(hash.at(end), expected) << "step " << step << ", before window " << end;
        }
    }
}

Plan dealt(const Simulation& simulation, int threads, int stride) {
    Plan plan{1, threads, {}};
    for (int i = 0; i < static_cast<int>(simulation.processes().size()); ++i)
        plan.worker.push_back(i / stride % threads);
    return plan;
}

// Two runs: epochs go on over them.
MessageHashes hashes_of(const Shape& shape, int threads, int stride, const RunOptions& options = {}) {
    Machine machine(shape);
    machine.simulation.run(dealt(machine.simulation, threads, stride), options);
    for (busy::Core* core : machine.cores) core->wake_at(core->index());
    machine.simulation.run(dealt(machine.simulation, threads, stride), options);
    return machine.simulation.collect_message_hashes();
}

void expect_equal(const MessageHashes& found, const MessageHashes& expected) {
    EXPECT_EQ(found.epoch, expected.epoch);
    ASSERT_EQ(found.processes.size(), expected.processes.size());
    for (std::size_t i = 0; i < found.processes.size(); ++i)
        EXPECT_EQ(found.processes[i].samples, expected.processes[i].samples) << i;
}

TEST(MessageHashes, AreTheSameForAllPlansAndWaysToShareWork) {
    const MessageHashes expected = hashes_of({}, 1, 1);
    for (const int threads : {2, 3, 8})
        for (const int stride : {1, 6}) {
            SCOPED_TRACE(std::to_string(threads) + " " + std::to_string(stride));
            expect_equal(hashes_of({}, threads, stride), expected);
            RunOptions trials;
            trials.trial_seconds = 0;
            expect_equal(hashes_of({}, threads, stride, trials), expected);
        }
}

TEST(MessageHashes, HaveSamplesThatCoverTheRunAndEndWithTheLastHash) {
    Machine machine({});
    const RunReport report = machine.simulation.run({});
    const MessageHashes hashes = machine.simulation.collect_message_hashes();
    EXPECT_EQ(hashes.window, machine.simulation.window_length());
    const auto count = static_cast<Time>(hashes.processes[0].samples.size());
    EXPECT_GT(2 * count, static_cast<Time>(MessageHash::most_samples));
    EXPECT_LE(count, static_cast<Time>(MessageHash::most_samples));
    EXPECT_GT(count * hashes.epoch, report.end);
    EXPECT_LE((count - 1) * hashes.epoch, report.end);
    std::set<std::uint64_t> last;
    for (const MessageHashes::Process& process : hashes.processes) {
        EXPECT_EQ(process.last, process.samples.back());
        last.insert(process.last);
    }
    EXPECT_EQ(last.size(), hashes.processes.size());
}

// Core 3 asks for one thing less: all is equal until somebody notices.
TEST(MessageHashes, PartWhereTwoRunsPartAndNotBefore) {
    const MessageHashes one = hashes_of({}, 1, 1), other = hashes_of({.requests = 151}, 1, 1);
    ASSERT_EQ(one.epoch, other.epoch);
    const auto differs = [&](std::size_t epoch) {
        for (std::size_t i = 0; i < one.processes.size(); ++i)
            if (one.processes[i].samples[epoch] != other.processes[i].samples[epoch]) return true;
        return false;
    };
    EXPECT_FALSE(differs(0));
    std::size_t first = 0;
    while (first < one.processes[0].samples.size() && !differs(first)) ++first;
    ASSERT_LT(first, one.processes[0].samples.size());
    for (std::size_t i = first; i < one.processes[0].samples.size(); ++i) EXPECT_TRUE(differs(i)) << i;
}

TEST(MessageHashes, GoOnFromACheckpoint) {
    for (const std::uint64_t tie_seed : {0U, 4U}) {
        Machine whole({}), before({}), after({});
        for (Machine* machine : {&whole, &before, &after}) machine->simulation.permute_ties(tie_seed);
        whole.simulation.run({});
        before.simulation.run(dealt(before.simulation, 2, 1), {.progress = {}, .until = 700});
        Checkpoint::read(after.simulation, Checkpoint::write(before.simulation));
        after.simulation.run(dealt(after.simulation, 3, 1));
        expect_equal(after.simulation.collect_message_hashes(), whole.simulation.collect_message_hashes());
    }
}

TEST(MessageHashes, OfASimulationThatHasNotRunAreThoseOfNothing) {
    const Machine machine({});
    for (const MessageHashes::Process& process : machine.simulation.collect_message_hashes().processes)
        EXPECT_EQ(process.samples, std::vector<std::uint64_t>{MessageHash().value()});
}

}  // namespace
}  // namespace engine
