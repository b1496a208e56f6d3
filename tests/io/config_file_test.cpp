#include "io/config_file.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/io/temporary_folder.h"

namespace {

using engine::Bytes;
using engine::Choice;
using engine::Cycles;
using engine::Flag;
using engine::Frequency;
using engine::Parameter;
using engine::ParameterGroup;
using namespace engine::literals;

struct Cache : ParameterGroup {
    using ParameterGroup::ParameterGroup;
    Parameter<Bytes> capacity{this, "capacity", 16_KiB, {1_KiB, 1_MiB}, "data capacity", "paper 004, Table I"};
    Parameter<int> ways{this, "ways", 4, {1, 32}, "lines in a set", "paper 004, Table I"};
    Parameter<Cycles> latency{this, "latency", 2_cycles, {1_cycles, 64_cycles}, "read to reply", "design"};
    Choice<int> policy{this, "policy", {{"lru", 0}, {"fifo", 1}}, 0, "what goes first", "design"};
    void check() const override {
        if (capacity.count() % ways() != 0) throw engine::ConfigError(name() + ": capacity must be a multiple of ways");
    }
};
struct Machine : ParameterGroup {
    Parameter<Frequency> clock{this, "clock", 600_MHz, {1_MHz, 4000_MHz}, "core clock", "paper 004, Table I"};
    Flag early{this, "early_depth", true, "test before shading", "design"};
    Cache texture_cache{this, "texture_cache", "private texture cache"};
    Cache l2{this, "l2", "a slice"};
};

class ConfigFile : public testing::Test {
  protected:
    std::filesystem::path write(const std::string& name, const std::string& text) {
        std::ofstream(folder_ / name, std::ios::binary) << text;
        return folder_ / name;
    }
    void read(const std::string& text, const std::vector<std::string>& overrides = {}) {
        io::read_config(write("m.toml", text), overrides, {folder_.path()}, machine_);
    }
    // The error's text without the folder; "" if there is none.
    std::string error(const std::string& text, const std::vector<std::string>& overrides = {}) {
        Machine machine;
        try {
            io::read_config(write("m.toml", text), overrides, {folder_.path()}, machine);
        } catch (const engine::ConfigError& found) {
            std::string message = found.what();
            const std::string prefix = folder_.path().string() + "/";
            if (message.starts_with(prefix)) message.erase(0, prefix.size());
            return message;
        }
        return "";
    }
    tests::TemporaryFolder folder_;
    Machine machine_;
};

TEST_F(ConfigFile, SetsWhatItNamesAndNothingElse) {
    read(
        "clock = \"400 MHz\"\nearly_depth = false\n[texture_cache]\ncapacity = \"32 KiB\"\nlatency = 3\n"
        "policy = \"fifo\"\n");
    EXPECT_EQ(machine_.clock(), 400_MHz);
    EXPECT_FALSE(machine_.early());
    EXPECT_EQ(machine_.texture_cache.capacity(), 32_KiB);
    EXPECT_EQ(machine_.texture_cache.latency(), 3_cycles);
    EXPECT_EQ(machine_.texture_cache.policy.value_text(), "fifo");
    EXPECT_EQ(machine_.texture_cache.policy(), 1);
    EXPECT_EQ(machine_.l2.capacity(), 16_KiB);
    EXPECT_EQ(machine_.texture_cache.ways(), 4);
}

TEST_F(ConfigFile, AnUnknownKeyIsToldWithItsPlaceAndTheNearestKnownOne) {
    EXPECT_EQ(error("[texture_cache]\nwyas = 3\n"),
              "m.toml:2:1: unknown key 'texture_cache.wyas', did you mean 'texture_cache.ways'?");
    EXPECT_EQ(error("[texture_cahce]\n"), "m.toml:1:2: unknown table 'texture_cahce', did you mean 'texture_cache'?");
    EXPECT_EQ(error("ways = 3\n"), "m.toml:1:1: unknown key 'ways', did you mean 'texture_cache.ways'?");
    EXPECT_EQ(error("num_ways = 3\n"), "m.toml:1:1: unknown key 'num_ways', did you mean 'texture_cache.ways'?");
    EXPECT_EQ(error("", {"texture.ways=3"}),
              "--set texture.ways=3: unknown key 'texture', did you mean 'texture_cache'?");
    EXPECT_EQ(error("", {"l2.way_count=3"}),
              "--set l2.way_count=3: unknown key 'l2.way_count', expected one of capacity ways latency policy");
}

TEST_F(ConfigFile, AnUnknownKeyLikeNoOtherIsToldWithAllThatThereAre) {
    EXPECT_EQ(error("[l2]\nsize = 3\n"),
              "m.toml:2:1: unknown key 'l2.size', expected one of capacity ways latency policy");
    EXPECT_EQ(error("qqqqqq = 3\n"),
              "m.toml:1:1: unknown key 'qqqqqq', expected one of clock early_depth texture_cache l2");
}

TEST_F(ConfigFile, WrongTypesAreToldWithTheirPlace) {
    EXPECT_EQ(error("[texture_cache]\nways = \"4\"\n"),
              "m.toml:2:8: texture_cache.ways: expected 1 .. 32, found the text \"4\"");
    EXPECT_EQ(error("[texture_cache]\nways = 2.5\n"),
              "m.toml:2:8: texture_cache.ways: expected 1 .. 32, found a number with a fraction");
    EXPECT_EQ(error("[texture_cache]\ncapacity = [1]\n"),
              "m.toml:2:12: texture_cache.capacity: expected 1 KiB .. 1 MiB, found an array");
    EXPECT_EQ(error("early_depth = 1\n"), "m.toml:1:15: early_depth: expected true or false, found \"1\"");
    EXPECT_EQ(error("texture_cache = 1\n"),
              "m.toml:1:1: texture_cache: expected a table [texture_cache], found an integer");
    EXPECT_THAT(error("[texture_cache]\ncapacity = 16\n"),
                testing::StartsWith("m.toml:2:12: texture_cache.capacity: expected a quantity in byte with its unit"));
}

TEST_F(ConfigFile, ValuesOutOfRangeAreToldWithTheirPlace) {
    EXPECT_EQ(error("[l2]\nways = 33\n"), "m.toml:2:8: l2.ways: expected 1 .. 32, found 33");
    EXPECT_EQ(error("[l2]\npolicy = \"lur\"\n"),
              "m.toml:2:10: l2.policy: expected one of lru fifo, found \"lur\"; did you mean \"lru\"?");
}

TEST_F(ConfigFile, BadSyntaxAndKeysGivenTwiceAreToldWithTheirPlace) {
    EXPECT_THAT(error("clock = \n"), testing::StartsWith("m.toml:1:9: "));
    EXPECT_THAT(error("[l2]\nways = 4\nways = 5\n"), testing::StartsWith("m.toml:3:"));
    EXPECT_THAT(error("[l2]\nways = 4\nways = 5\n"), testing::HasSubstr("ways"));
}

TEST_F(ConfigFile, BytesThatAreNotTextAreToldWithTheirPlace) {
    EXPECT_EQ(error("clock = \"1 GHz\"\n# \xff\n"), "m.toml:2:3: not valid UTF-8");
    EXPECT_EQ(error("\xef\xbb\xb0/b\n"), "m.toml:1:1: a character beyond ASCII outside of comments and texts");
}

TEST_F(ConfigFile, GroupsAreCheckedAfterEverythingIsSet) {
    EXPECT_EQ(error("[l2]\nways = 3\n"), "m.toml: l2: capacity must be a multiple of ways");
    EXPECT_EQ(error("[l2]\nways = 3\n", {"l2.capacity=3 KiB"}), "");
}

TEST_F(ConfigFile, OverridesComeLastAndTheirErrorsSaySet) {
    read("[l2]\nways = 8\n", {"l2.ways=16", "clock=1 GHz", "early_depth=false", "l2.policy=fifo"});
    EXPECT_EQ(machine_.l2.ways(), 16);
    EXPECT_EQ(machine_.clock(), 1000_MHz);
    EXPECT_FALSE(machine_.early());
    EXPECT_EQ(error("", {"l2.wais=1"}), "--set l2.wais=1: unknown key 'l2.wais', did you mean 'l2.ways'?");
    EXPECT_EQ(error("", {"l2.ways=99"}), "--set l2.ways=99: expected 1 .. 32, found 99");
    EXPECT_EQ(error("", {"l2=1"}), "--set l2=1: 'l2' is a table; give one of its parameters");
    EXPECT_EQ(error("", {"l2.ways"}), "--set l2.ways: expected PATH=VALUE");
    EXPECT_EQ(error("", {"l2.ways.x=1"}), "--set l2.ways.x=1: 'l2.ways' is a parameter; there is nothing below it");
    for (const char* path : {"l2.ways.", "l2..ways", ".l2.ways"})
        EXPECT_EQ(error("", {std::string(path) + "=1"}),
                  "--set " + std::string(path) + "=1: expected names with a dot between them, found '" + path + "'");
}

TEST_F(ConfigFile, AnOverrideIsNotGivenTwice) {
    EXPECT_EQ(error("", {"l2.ways=2", "clock=1 GHz", "l2.ways=4"}),
              "--set l2.ways=4: given twice, before as --set l2.ways=2");
    EXPECT_EQ(error("", {"l2.ways=2", "texture_cache.ways=2"}), "");
}

TEST_F(ConfigFile, WhatOnlyOverridesMakeUnsoundIsBlamedOnThem) {
    EXPECT_EQ(error("[l2]\nways = 8\n", {"clock=1 GHz", "l2.ways=3"}),
              "--set clock=1 GHz --set l2.ways=3: l2: capacity must be a multiple of ways");
    EXPECT_EQ(error("[l2]\nways = 3\n", {"clock=1 GHz"}), "m.toml: l2: capacity must be a multiple of ways");
}

TEST_F(ConfigFile, AFileThatIsFarTooLargeIsTheUsersMistake) {
    EXPECT_EQ(error("#" + std::string(std::size_t{1} << 24, ' ')),
              "m.toml: expected TOML of at most 16777216 bytes, found 16777217");
}

TEST_F(ConfigFile, ABaseIsReadFirst) {
    write("base.toml", "clock = \"300 MHz\"\n[l2]\nways = 8\n");
    write("middle.toml", "base = \"base.toml\"\n[l2]\nways = 16\n");
    read("base = \"middle\"\nearly_depth = false\n");
    EXPECT_EQ(machine_.clock(), 300_MHz);
    EXPECT_EQ(machine_.l2.ways(), 16);
    EXPECT_THAT(error("base = \"bsae\"\n"),
                testing::StartsWith("m.toml:1:8: base: no machine file or preset 'bsae', did you mean 'base'?"));
    EXPECT_EQ(error("base = 3\n"), "m.toml:1:8: base: expected the text of a path or preset, found an integer");
    EXPECT_THAT(error("base = \"m.toml\"\n"), testing::HasSubstr("does one name itself?"));
}

TEST_F(ConfigFile, TheResolvedTextGivesTheSameValues) {
    read("clock = \"333 MHz\"\n[l2]\nways = 8\npolicy = \"fifo\"\n[texture_cache]\ncapacity = \"3 KiB\"\nways = 3\n");
    const std::string resolved = io::resolved_toml(machine_, "test");
    Machine again;
    io::read_config(write("resolved.toml", resolved), {}, {}, again);
    EXPECT_EQ(io::resolved_toml(again, "test"), resolved);
    EXPECT_EQ(again.texture_cache.capacity(), 3_KiB);
    EXPECT_THAT(resolved, testing::HasSubstr("# data capacity\n# 1 KiB .. 1 MiB (byte); default 16 KiB; paper 004, "
                                             "Table I\ncapacity = \"3 KiB\"\n"));
}

TEST_F(ConfigFile, MachinesAreFoundByPathOrPresetName) {
    const std::filesystem::path path = write("bifrost32.toml", "");
    EXPECT_EQ(io::find_machine("bifrost32", {folder_.path()}), path);
    EXPECT_EQ(io::find_machine(path.string(), {}), path);
    EXPECT_THROW(io::find_machine("bifrost", {folder_.path()}), engine::ConfigError);
}

std::string dotted(std::size_t parts) {
    std::string key = "a";
    for (std::size_t i = 1; i < parts; ++i) key += ".a";
    return key;
}

TEST_F(ConfigFile, KeysOfVeryManyPartsAreRefusedByTheirPlace) {
    const std::string deep = dotted(200'000), refused = ": a key of more than 16 parts";
    EXPECT_EQ(error("[" + deep + "]\nx = 1\n"), "m.toml:1:33" + refused);
    EXPECT_EQ(error("[l2]\n" + deep + " = 1\n"), "m.toml:2:32" + refused);
    EXPECT_EQ(error("l2 = {" + deep + " = 1}\n"), "m.toml:1:38" + refused);
    EXPECT_EQ(error("[[" + deep + "]]\n"), "m.toml:1:34" + refused);
    EXPECT_EQ(error(deep), "m.toml:1:32" + refused);
}

TEST_F(ConfigFile, ArraysAndTablesWithinEachOtherAreRefusedHoweverDeep) {
    const auto repeated = [](const std::string& text, int times) {
        std::string all;
        for (int i = 0; i < times; ++i) all += text;
        return all;
    };
    EXPECT_THAT(error("a = " + repeated("[", 200'000)), testing::HasSubstr("nested value depth"));
    EXPECT_THAT(error("a = " + repeated("{" + dotted(16) + " = ", 200'000)), testing::HasSubstr("nested value depth"));
    EXPECT_THAT(error("a = " + repeated("{" + dotted(16) + " = ", 250) + "1" + repeated("}", 250)),
                testing::HasSubstr("unknown table 'a'"));
}

TEST_F(ConfigFile, MoreThanAConfigurationMayHoldAndOtherKindsOfFilesAreRefused) {
    EXPECT_THAT(error(std::string((std::size_t{1} << 24) + 1, '\n')),
                "m.toml: expected TOML of at most 16777216 bytes, found 16777217");
    EXPECT_THAT(error("TESSERA RESULTS 2\ncontent 0"),
                testing::StartsWith("m.toml: expected TOML, found Tessera results"));
}

TEST_F(ConfigFile, WhatWasResolvedComesBackFromItsText) {
    read("clock = \"400 MHz\"\n[l2]\nways = 8\npolicy = \"fifo\"\n");
    Machine copy;
    io::read_resolved(io::resolved_toml(machine_, "a machine"), "out/resolved.toml", copy);
    EXPECT_FALSE(io::first_difference(machine_, copy));
    EXPECT_EQ(copy.l2.ways(), 8);
    try {
        io::read_resolved("clocks = 3\n", "out/resolved.toml", copy);
        FAIL();
    } catch (const engine::ConfigError& error) {
        EXPECT_STREQ(error.what(), "out/resolved.toml:1:1: unknown key 'clocks', did you mean 'clock'?");
    }
}

TEST_F(ConfigFile, OneParameterIsSetByItselfAndBlamedWithItsPlace) {
    const auto refusal = [](const std::string& parameter, const std::string& value) -> std::string {
        Machine machine;
        try {
            io::set_parameter("s.toml:1:2: ", parameter, value, machine);
        } catch (const engine::ConfigError& found) {
            return found.what();
        }
        return "";
    };
    EXPECT_EQ(refusal("l2.ways", "3"), "") << "whether it fits the others is not asked";
    EXPECT_EQ(refusal("l2.wais", "3"), "s.toml:1:2: unknown key 'l2.wais', did you mean 'l2.ways'?");
    EXPECT_EQ(refusal("l2.ways", "33"), "s.toml:1:2: l2.ways: expected 1 .. 32, found 33");
    EXPECT_THAT(refusal("l2", "3"), testing::HasSubstr("s.toml:1:2: 'l2' is a table"));
    EXPECT_THAT(refusal("", "3"), testing::HasSubstr("s.toml:1:2: expected the name of a parameter"));
}

TEST_F(ConfigFile, TheFirstParameterThatDiffersIsNamedWithBothValues) {
    Machine other;
    io::override_parameters({"l2.ways=8", "l2.capacity=32 KiB"}, other);
    const auto difference = io::first_difference(machine_, other);
    ASSERT_TRUE(difference);
    EXPECT_EQ(difference->parameter, "l2.capacity");
    EXPECT_EQ(difference->value, "16 KiB");
    EXPECT_EQ(difference->other, "32 KiB");
    io::override_parameters({"clock=500 MHz"}, other);
    EXPECT_EQ(io::first_difference(machine_, other)->parameter, "clock");
    try {
        io::override_parameters({"l2.ways=3"}, other);
        FAIL();
    } catch (const engine::ConfigError& error) {
        EXPECT_STREQ(error.what(), "--set l2.ways=3: l2: capacity must be a multiple of ways");
    }
}

}  // namespace
