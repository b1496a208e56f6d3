// Every command that the controller issues is legal, whatever the device, the page policy, the mapping and the way of
// refreshing: more than a million requests for each device.

#include <string>
#include <tuple>

#include <gtest/gtest.h>

#include "engine/counter_rng.h"
#include "models/memory/dram/devices.h"
#include "tests/models/memory/dram/command_checker.h"
#include "tests/models/memory/dram/dram_fixture.h"
#include "tests/sanitized.h"

namespace models {
namespace {

// With each page policy, mapping and way to refresh.
constexpr std::uint64_t requests = tests::is_sanitized ? 10'000 : 70'000;

using Setting = std::tuple<std::string, std::string, std::string, std::string>;

class LegalCommands : public testing::TestWithParam<Setting> {
  protected:
    // Half of the requests go to a few rows, so that there are hits and conflicts; they come in bursts with pauses.
    static DramLoad load(const TestDram& memory) {
        DramLoad load;
        load.arrival = DramArrival::at_times;
        const auto lines = static_cast<std::uint64_t>(memory.dram.bytes()) / block_bytes;
        load.next = [lines, made = std::uint64_t{0}, time = engine::Time{0},
                     draws = engine::CounterRng(7, 0)]() mutable -> std::optional<DramAccess> {
            if (made++ == requests) return {};
            const std::uint64_t random = draws.next();
            DramAccess access;
            access.address = (random % 2 == 0 ? random >> 8U : (random >> 8U) % 4096) % lines * block_bytes;
            access.is_write = draws.below(10) < (made / 500 % 2 == 0 ? 2U : 7U);
            time += draws.below(100) == 0 ? draws.below(2000) : draws.below(20);
            if (draws.below(1000) == 0) time += 50'000;
            access.arrival = time;
            return access;
        };
        return load;
    }
};

TEST_P(LegalCommands, AreAllThereAre) {
    const auto& [device, page, mapping, refresh] = GetParam();
    TestDram memory(device);
    memory.set("page", page);
    memory.set("mapping", mapping);
    memory.set("refresh", refresh);
    memory.dram.check();
    DramDriver driver(memory.dram);
    std::vector<DramCommand> log;
    driver.controller(0).log_commands(&log);
    const DramFigures figures = driver.play(load(memory));
    const DramController& controller = driver.controller(0);
    EXPECT_EQ(figures.requests, requests);
    EXPECT_EQ(controller.reads.value() + controller.writes.value(), requests);
    EXPECT_EQ(figures.reads, controller.reads.value());
    EXPECT_EQ(controller.activity().activates,
              controller.row_misses.value() + controller.row_conflicts.value() + controller.rows_unused.value());
    EXPECT_EQ(controller.row_hits.value() + controller.row_misses.value() + controller.row_conflicts.value(),
              controller.activity().reads + controller.activity().writes);
    CommandChecker checker(memory.dram.channel());
    checker.check(log);
    for (std::size_t i = 0; i < checker.violations().size() && i < 10; ++i) ADD_FAILURE() << checker.violations()[i];
    EXPECT_GT(log.size(), requests);
}

std::vector<std::string> devices() {
    std::vector<std::string> names;
    for (const DramDevice* device : dram_devices) names.emplace_back(device->name);
    return names;
}
std::vector<std::string> mappings() {
    return {AddressMapping::names.begin(), AddressMapping::names.end()};
}

INSTANTIATE_TEST_SUITE_P(All, LegalCommands,
                         testing::Combine(testing::ValuesIn(devices()), testing::Values("open", "closed"),
                                          testing::ValuesIn(mappings()), testing::Values("all_banks", "per_bank")),
                         [](const auto& tested) {
                             std::string name = std::get<0>(tested.param) + "_" + std::get<1>(tested.param) + "_" +
                                                std::get<2>(tested.param) + "_" + std::get<3>(tested.param);
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

}  // namespace
}  // namespace models
