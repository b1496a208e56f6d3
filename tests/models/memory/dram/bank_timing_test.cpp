#include "models/memory/dram/bank_timing.h"

#include <gtest/gtest.h>

#include "engine/counter_rng.h"
#include "models/memory/dram/devices.h"
#include "tests/models/memory/dram/command_checker.h"

namespace models {
namespace {

using Op = DramOperation;

// Slow: remembers every command, and asks the rules about each.
class SlowTiming {
  public:
    explicit SlowTiming(const DramDevice& device) : rules_(device), device_(device) {}
    void issue(const DramCommand& command) { log_.push_back(command); }
    std::int64_t earliest(const DramCommand& command) const {
        std::int64_t cycle = 0;
        for (const DramCommand& before : log_)
            cycle = std::max(cycle, before.cycle + rules_.separation(before, command));
        if (command.operation != Op::activate && command.operation != Op::refresh_bank) return cycle;
        int activates = 0;
        for (auto before = log_.rbegin(); before != log_.rend(); ++before)
            if ((before->operation == Op::activate || before->operation == Op::refresh_bank) && ++activates == 4)
                return std::max(cycle, before->cycle + device_.timing.faw);
        return cycle;
    }

  private:
    CommandChecker rules_;
    DramDevice device_;
    std::vector<DramCommand> log_;
};

class BankTimingTest : public testing::TestWithParam<const DramDevice*> {
  protected:
    bool allows(Op operation, std::uint32_t bank) const {
        const bool is_open = timing.row(bank) != BankTiming::closed;
        switch (operation) {
            case Op::activate:
                return !is_open;
            case Op::refresh:
                return timing.open_rows() == 0;
            case Op::refresh_bank:
                if (timing.first_refreshed(timing.refresh_turn_of(bank)) != bank) return false;
                for (std::uint32_t each = bank; each < timing.banks(); ++each)
                    if (timing.refresh_turn_of(each) == timing.refresh_turn_of(bank) &&
                        timing.row(each) != BankTiming::closed)
                        return false;
                return true;
            case Op::precharge_all:
                return timing.open_rows() > 0;
            default:
                return is_open;
        }
    }

    const DramDevice& device = *GetParam();
    BankTiming timing{device};
    SlowTiming slow{device};
};

TEST_P(BankTimingTest, IsThatOfASlowOneForRandomCommands) {
    engine::CounterRng draws(3, 0);
    std::int64_t now = 0;
    int issued = 0;
    for (int tried = 0; issued < 1500 && tried < 20'000; ++tried) {
        DramCommand command;
        command.operation = static_cast<Op>(draws.below(dram_operations));
        // Rarely what ends the rest.
        if (command.operation >= Op::precharge_all && draws.below(10) != 0) continue;
        command.bank = static_cast<std::uint16_t>(draws.below(timing.banks()));
        if (!allows(command.operation, command.bank)) continue;
        const std::int64_t earliest = timing.earliest(command.operation, command.bank);
        ASSERT_EQ(std::max(now, earliest), std::max(now, slow.earliest(command)))
            << dram_operation_names[static_cast<std::size_t>(command.operation)] << " of bank " << command.bank;
        command.cycle = now = std::max(now, earliest) + (draws.below(4) == 0 ? draws.below(20) : 0);
        command.row = draws.below(100);
        timing.issue(command);
        slow.issue(command);
        ++issued;
    }
    EXPECT_EQ(issued, 1500);
}

TEST_P(BankTimingTest, GoesOnFromWhatWasSaved) {
    timing.issue({0, 7, 1, Op::activate, 0});
    timing.issue({device.timing.rcd, 7, 1, Op::read, 0});
    std::vector<std::byte> bytes;
    engine::Archive writer(&bytes);
    writer(timing);
    BankTiming other(device);
    engine::Archive reader{std::span<const std::byte>(bytes)};
    reader(other);
    EXPECT_TRUE(reader.is_at_end());
    EXPECT_EQ(other.row(1), 7U);
    EXPECT_EQ(other.open_rows(), 1U);
    for (std::uint16_t bank = 0; bank < timing.banks(); ++bank)
        for (const Op operation : {Op::activate, Op::read, Op::write, Op::precharge, Op::precharge_all, Op::refresh})
            EXPECT_EQ(other.earliest(operation, bank), timing.earliest(operation, bank));
}

// JESD209-5: a refresh of a bank takes the bank of the same number in two groups.
TEST(BankTiming, RefreshesBanksOfDifferentGroupsTogether) {
    const BankTiming timing(lpddr5_6400);
    std::vector<int> refreshed(16);
    for (std::uint32_t turn = 0; turn < timing.refresh_turns(); ++turn) {
        std::vector<std::uint32_t> banks;
        timing.for_each_refreshed(timing.first_refreshed(turn), [&](std::uint32_t bank) { banks.push_back(bank); });
        ASSERT_EQ(banks.size(), 2U);
        EXPECT_EQ(banks[0] / 4, banks[1] / 4);
        EXPECT_EQ(banks[0] % 4 + 2, banks[1] % 4);
        for (const std::uint32_t bank : banks) {
            EXPECT_EQ(timing.refresh_turn_of(bank), turn);
            ++refreshed[bank];
        }
    }
    EXPECT_EQ(refreshed, std::vector<int>(16, 1));
}

INSTANTIATE_TEST_SUITE_P(Devices, BankTimingTest, testing::ValuesIn(dram_devices), [](const auto& tested) {
    std::string name(tested.param->name);
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

}  // namespace
}  // namespace models
