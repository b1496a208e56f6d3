#include "experiments/energy/machine_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"

namespace {

using energy::MachineValues;
using testing::ElementsAre;

MachineValues machine() {
    return {
        "[l2]\ncapacity = \"1 MiB\"\nways = 8\n[gpu]\nfrequency = \"600 MHz\"\n[dram]\nmodel = \"timed\"\nchannels = "
        "2\n",
        "here"};
}

std::string message(const std::string& parameter) {
    try {
        machine().number(parameter);
    } catch (const engine::ConfigError& error) {
        return error.what();
    }
    return "";
}

TEST(MachineValues, AreInBytesAndHertz) {
    EXPECT_EQ(machine().number("l2.capacity"), 1 << 20);
    EXPECT_EQ(machine().number("l2.ways"), 8);
    EXPECT_EQ(machine().number("gpu.frequency"), 600e6);
    EXPECT_EQ(machine().text("dram.model"), "timed");
}

TEST(MachineValues, AreGivenByGroupAsSetTakesThem) {
    EXPECT_THAT(machine().settings("dram"), ElementsAre("dram.channels=2", "dram.model=timed"));
    EXPECT_THAT(machine().settings("dra"), ElementsAre());
}

TEST(MachineValues, NameTheNearestParameter) {
    EXPECT_EQ(message("l2.way"), "the machine has no parameter 'l2.way', did you mean 'l2.ways'?");
    EXPECT_EQ(message("dram.model"), "expected a parameter that is a quantity, found dram.model = timed");
}

TEST(MachineValues, RefuseWhatIsNoToml) {
    EXPECT_THROW(MachineValues("[l2", "here"), engine::InputError);
}

}  // namespace
