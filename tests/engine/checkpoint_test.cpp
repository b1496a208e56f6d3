#include "engine/checkpoint.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/busy_machine.h"

namespace engine {
namespace {

using busy::Machine;
using testing::HasSubstr;

const busy::Shape shape{.cores = 6, .memories = 3, .requests = 80};

Plan dealt(const Machine& machine, int threads) {
    Plan plan{1, threads, {}};
    for (int i = 0; i < static_cast<int>(machine.simulation.processes().size()); ++i)
        plan.worker.push_back(i % threads);
    return plan;
}

// Of all that a machine has done; `parts`: the runs that brought it there.
std::uint64_t digest(const Machine& machine, const std::vector<RunReport>& parts) {
    RunReport all = parts.back();
    all.messages = all.steps = 0;
    for (const RunReport& part : parts) {
        all.messages += part.messages;
        all.steps += part.steps;
    }
    return machine.digest(all);
}

std::uint64_t uninterrupted() {
    Machine machine(shape);
    return digest(machine, {machine.simulation.run({})});
}

TEST(Checkpoint, ARunThatWasStoppedGoesOnToTheSameEnd) {
    for (const int threads : {1, 2, 3}) {
        Machine machine(shape);
        const Plan plan = dealt(machine, threads);
        std::vector<RunReport> parts;
        for (const Time until : {0, 1, 200, 201, 900}) {
            parts.push_back(machine.simulation.run(plan, {.progress = {}, .trial_seconds = 0, .until = until}));
            const Time window = machine.simulation.window_length();
            ASSERT_EQ(parts.back().stopped_at, until / window * window);
            ASSERT_EQ(machine.simulation.now(), parts.back().stopped_at);
        }
        parts.push_back(machine.simulation.run(plan));
        EXPECT_EQ(parts.back().stopped_at, never);
        EXPECT_EQ(digest(machine, parts), uninterrupted());
    }
}

TEST(Checkpoint, ARunThatEndsBeforeIsNotStopped) {
    Machine machine(shape);
    const RunReport report = machine.simulation.run({}, {.progress = {}, .until = 1'000'000'000});
    EXPECT_EQ(report.stopped_at, never);
    EXPECT_EQ(digest(machine, {report}), uninterrupted());
}

TEST(Checkpoint, BringsAnotherMachineToTheSameEndOnAnyNumberOfThreads) {
    for (const int threads : {1, 2, 3}) {
        Machine before(shape);
        const RunReport first = before.simulation.run(dealt(before, threads), {.progress = {}, .until = 700});
        const std::vector<std::byte> bytes = Checkpoint::write(before.simulation);
        for (const int others : {1, 2, 4}) {
            Machine after(shape);
            Checkpoint::read(after.simulation, bytes);
            EXPECT_EQ(after.simulation.now(), first.stopped_at);
            const RunReport second = after.simulation.run(dealt(after, others));
            EXPECT_EQ(digest(after, {first, second}), uninterrupted()) << threads << " " << others;
        }
    }
}

TEST(Checkpoint, IsTheSameHoweverTheMachineWasRun) {
    std::vector<std::byte> expected;
    for (const int threads : {1, 2, 4}) {
        Machine machine(shape);
        machine.simulation.run(dealt(machine, threads), {.progress = {}, .until = 999});
        const std::vector<std::byte> bytes = Checkpoint::write(machine.simulation);
        if (expected.empty()) expected = bytes;
        EXPECT_EQ(bytes, expected);
    }
}

TEST(Checkpoint, HoldsMessagesInFlight) {
    Machine machine(shape);
    machine.simulation.run({}, {.progress = {}, .until = 700});
    const std::size_t busy = Checkpoint::write(machine.simulation).size();
    machine.simulation.run({});
    EXPECT_GT(busy, Checkpoint::write(machine.simulation).size());
}

std::vector<std::byte> some_checkpoint() {
    Machine machine(shape);
    machine.simulation.run({}, {.progress = {}, .until = 700});
    return Checkpoint::write(machine.simulation);
}

template <class E>
std::string refusal(const busy::Shape& of, const std::vector<std::byte>& bytes) {
    try {
        Machine machine(of);
        Checkpoint::read(machine.simulation, bytes);
    } catch (const E& error) {
        return error.what();
    }
    return "";
}

TEST(Checkpoint, OfAnotherMachineIsRefused) {
    EXPECT_THAT(refusal<ConfigError>({.cores = 5, .memories = 3}, some_checkpoint()), HasSubstr("another machine"));
    EXPECT_THAT(refusal<ConfigError>({.cores = 3, .memories = 6}, some_checkpoint()), HasSubstr("another machine"));
}

TEST(Checkpoint, CutOffAnywhereIsRefused) {
    const std::vector<std::byte> whole = some_checkpoint();
    for (std::size_t size = 0; size < whole.size(); size += 1 + whole.size() / 199) {
        const std::vector<std::byte> cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
        ASSERT_THAT(refusal<InputError>(shape, cut), HasSubstr("byte")) << size;
    }
}

TEST(Checkpoint, WithAnyByteDamagedIsRefused) {
    std::vector<std::byte> bytes = some_checkpoint();
    Machine machine(shape);
    for (std::size_t i = 0; i < bytes.size(); i += 1 + bytes.size() / 499) {
        bytes[i] ^= std::byte{0x10};
        EXPECT_THROW(Checkpoint::read(machine.simulation, bytes), Error) << i;
        bytes[i] ^= std::byte{0x10};
    }
    const std::string name = machine.simulation.processes().back()->name();
    bytes.back() ^= std::byte{1};
    EXPECT_THAT(refusal<InputError>(shape, bytes), HasSubstr(name + ", at byte"));
}

TEST(Checkpoint, NamesAProcessThatCannotBeSaved) {
    class Mute : public EventDriven<Mute> {
      public:
        using EventDriven::EventDriven;
    };
    Simulation simulation;
    simulation.add<Mute>("mute", 3);
    try {
        Checkpoint::write(simulation);
        FAIL();
    } catch (const ConfigError& error) {
        EXPECT_STREQ(error.what(), "mute[3]: cannot be saved in a checkpoint: mute has no function serialize()");
    }
}

}  // namespace
}  // namespace engine
