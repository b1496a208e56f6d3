#include "models/machine_parameters.h"

#include <filesystem>
#include <fstream>
#include <map>

#include <gtest/gtest.h>

namespace models {
namespace {

// The "key = value" lines of a TOML file by "table.key".
std::map<std::string, std::string> read_lines(const std::filesystem::path& path) {
    std::map<std::string, std::string> values;
    std::ifstream file(path);
    std::string line, table;
    while (std::getline(file, line)) {
        if (line.starts_with("[")) table = line.substr(1, line.find(']') - 1);
        const std::size_t equals = line.find(" = ");
        if (line.starts_with("#") || equals == std::string::npos) continue;
        const std::string value = line.substr(equals + 3);
        values[table + "." + line.substr(0, equals)] = value.substr(0, value.find("  #"));
    }
    return values;
}

TEST(MachineParameters, DefaultsAreThePresetBifrost32) {
    const auto preset =
        read_lines(std::filesystem::path(__FILE__).parent_path() / "../../experiments/machines/bifrost32.toml");
    const MachineParameters parameters;
    std::size_t count = 0;
    for (const engine::ParameterGroup* group : parameters.groups()) {
        for (const engine::ParameterBase* parameter : group->parameters()) {
            const std::string name = group->name() + "." + parameter->name();
            const std::string value =
                parameter->bare() ? parameter->default_text() : "\"" + parameter->default_text() + "\"";
            const auto found = preset.find(name);
            if (found == preset.end())
                ADD_FAILURE() << name << " is missing";
            else
                EXPECT_EQ(found->second, value) << name;
            ++count;
        }
    }
    EXPECT_EQ(preset.size(), count);
}

TEST(MachineParameters, SayWhatTheyMeanAndWhereTheyComeFrom) {
    const MachineParameters parameters;
    for (const engine::ParameterGroup* group : parameters.groups()) {
        EXPECT_FALSE(group->doc().empty()) << group->name();
        for (const engine::ParameterBase* parameter : group->parameters()) {
            EXPECT_FALSE(parameter->doc().empty()) << group->name() << "." << parameter->name();
            EXPECT_FALSE(parameter->source().empty()) << group->name() << "." << parameter->name();
        }
    }
}

TEST(MachineParameters, AreSoundAsTheyAre) {
    EXPECT_NO_THROW(MachineParameters().check_all());
}

TEST(Clocks, CountInTheLongestTimeThatDividesBothPeriods) {
    MachineParameters parameters;
    const Clocks table(parameters);
    EXPECT_EQ(table.gpu, 2);
    EXPECT_EQ(table.dram, 3);
    EXPECT_EQ(table.ticks_per_second, 1'200'000'000);
    parameters.gpu.frequency.set("800 MHz");
    const Clocks multiple(parameters);
    EXPECT_EQ(multiple.gpu, 1);
    EXPECT_EQ(multiple.dram, 2);
}

std::string error_of(const MachineParameters& parameters) {
    try {
        parameters.check_all();
    } catch (const engine::ConfigError& error) {
        return error.what();
    }
    return "";
}

TEST(Clocks, WithoutAGreatCommonDivisorAreRefusedWithFrequenciesThatWillDo) {
    const auto error = [](const char* gpu, const char* dram) {
        MachineParameters parameters;
        parameters.gpu.frequency.set(gpu);
        parameters.dram.frequency.set(dram);
        return error_of(parameters);
    };
    EXPECT_EQ(error("800 MHz", "1866666667 Hz"),
              "gpu.frequency, dram.frequency: expected frequencies with a greater common divisor than 1 Hz, found 800 "
              "MHz and 1866666667 Hz: 1.49e+18 ticks per second, so that time ends after 2.9 s, not 3600 s at least; "
              "800 MHz and 1866670 kHz will do");
    // Their product wraps to something positive, to something negative, to nearly nothing.
    EXPECT_NE(error("4294967311 Hz", "4294967291 Hz"), "");
    EXPECT_NE(error("9999999967 Hz", "9999999943 Hz"), "");
    EXPECT_NE(error("3100000001 Hz", "3099999993 Hz"), "");
    EXPECT_EQ(error("800 MHz", "1866670 kHz"), "");
    EXPECT_EQ(error("9999 MHz", "10 GHz"), "");
    EXPECT_EQ(
        error("1 MHz", "9999999967 Hz"),
        "gpu.frequency, dram.frequency: expected frequencies with a greater "
        "common divisor than 1 Hz, found 1 MHz and 9999999967 Hz: 1e+16 ticks per second, so that time ends after "
        "432 s, not 3600 s at least; 1 MHz and 9999999970 Hz will do");
}

TEST(Clocks, OfMachinesThatAreNotRefusedLeaveAnHour) {
    for (const char* gpu : {"1 MHz", "600 MHz", "800 MHz", "850001 kHz", "10 GHz"})
        for (const char* dram : {"1 MHz", "400 MHz", "933333 kHz", "1866667 kHz", "1866666667 Hz", "9999999 kHz"}) {
            MachineParameters parameters;
            parameters.gpu.frequency.set(gpu);
            parameters.dram.frequency.set(dram);
            if (!error_of(parameters).empty()) continue;
            const Clocks clocks(parameters);
            EXPECT_GE(engine::end_of_time / clocks.ticks_per_second, 3600) << gpu << ", " << dram;
            EXPECT_EQ(clocks.gpu * parameters.gpu.frequency.count(), clocks.ticks_per_second) << gpu << ", " << dram;
            EXPECT_EQ(clocks.dram * parameters.dram.frequency.count(), clocks.ticks_per_second) << gpu << ", " << dram;
        }
}

TEST(MachineParameters, VerticesWaitInWholeWarps) {
    MachineParameters parameters;
    parameters.geometry.vertex_queue.set("18");
    EXPECT_EQ(error_of(parameters),
              "geometry.vertex_queue: expected a multiple of vertex_processor.groups_per_warp (4), as vertices wait in "
              "warps, found 18; the nearest are 16 and 20");
}

TEST(MachineParameters, TellTheSlicesOfACacheThatDoesNotFit) {
    MachineParameters parameters;
    parameters.l2.slices.set("3");
    EXPECT_EQ(error_of(parameters),
              "l2: expected capacity / (ways x 64 B x slices) to be a power of two (the number of sets), found 1048576 "
              "B, 8 ways and 3 slices");
}

TEST(MachineParameters, HaveNoMoreVertexProcessorsThanTheMemoryPortCanTellApart) {
    MachineParameters parameters;
    EXPECT_NO_THROW(parameters.vertex_processor.count.set("127"));
    for (const char* count : {"128", "200", "255", "256"})
        EXPECT_THROW(parameters.vertex_processor.count.set(count), engine::ConfigError) << count;
}

TEST(ShareOf, DealsOutEveryEntryAndNobodyGetsTwoMoreThanAnother) {
    for (const int sharers : {1, 2, 32, 33})
        for (const int entries : {33, 64, 65, 95}) {
            int sum = 0;
            for (int i = 0; i < sharers; ++i) {
                sum += share_of(entries, sharers, i);
                EXPECT_LE(share_of(entries, sharers, i), share_of(entries, sharers, sharers - 1) + 1);
            }
            EXPECT_EQ(sum, entries);
        }
}

}  // namespace
}  // namespace models
