#include "experiments/energy/table_file.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/experiments/energy/tiny_machine.h"

namespace {

using energy::Range;
using energy::Table;
using testing::HasSubstr;
using testing::MatchesRegex;
using tests::replaced;
using tests::tiny_table;

std::string refusal(const std::string& old, const std::string& with) {
    EXPECT_NE(tiny_table.find(old), std::string::npos) << old;
    try {
        tests::read_text(replaced(tiny_table, old, with));
    } catch (const engine::ConfigError& error) {
        EXPECT_THAT(error.what(), MatchesRegex("[^\n]*t.toml:[0-9]+:[0-9]+: [^\n]*"));
        return error.what();
    }
    return "";
}

TEST(TableFile, HoldsWhatIsWritten) {
    const Table table = tests::read_text(tiny_table);
    EXPECT_EQ(table.title, "tiny");
    EXPECT_EQ(table.technology, (energy::Technology{20, 1}));
    EXPECT_EQ(table.idle_clock, (Range{0, 0.1, 0.5}));
    EXPECT_EQ(table.arrays.at("ram").points[1].values.write_pJ, (Range{6, 6, 6}));
    ASSERT_EQ(table.structures.size(), 3U);
    EXPECT_EQ(table.structures[0].events[0].energy_pJ, (Range{8, 16, 24}));
    EXPECT_EQ(table.structures[1].events[0].times.factor, 2);
    EXPECT_EQ(table.structures[1].events[0].times.parameters, std::vector<std::string>{"core.lanes"});
    EXPECT_EQ(table.structures[2].given, table.technology);  // scales = false
    EXPECT_EQ(table.not_priced.at("dispatcher"), "a test");
    EXPECT_NE(table.digest, tests::read_text(tiny_table + "# more\n").digest);
}

TEST(TableFile, RefusesNegativeFigures) {
    EXPECT_THAT(refusal("energy_pJ = [8, 16, 24]", "energy_pJ = [-8, 16, 24]"),
                HasSubstr("[[event]], energy_pJ: expected no negative figure, found -8"));
    EXPECT_THAT(refusal("write_pJ = 3,", "write_pJ = -3,"), HasSubstr("write_pJ: expected no negative figure"));
    EXPECT_THAT(refusal("times = [\"core.lanes\", 2]", "times = -2"), HasSubstr("times: expected more than 0"));
    EXPECT_THAT(refusal("node_nm = 40", "node_nm = 0"),
                HasSubstr("node_nm: expected a number from 1 to 1000, found 0"));
}

TEST(TableFile, RefusesWhatNoShareOrNumberCanBe) {
    EXPECT_THAT(refusal("idle_share = [0, 0.1, 0.5]", "idle_share = 2"),
                HasSubstr("[clock_gating], idle_share: expected at most 1, found 2"));
    EXPECT_THAT(refusal("idle_share = [0, 0.1, 0.5]", "idle_share = [0, 0.1, 1.5]"), HasSubstr("at most 1, found 1.5"));
    EXPECT_THAT(refusal("{capacity = 1024,", "{capacity = 1024, ways = 2.5,"),
                HasSubstr("ways: expected a whole number, at least 1, found 2.5"));
    EXPECT_THAT(refusal("{capacity = 1024,", "{capacity = 0.5,"), HasSubstr("capacity: expected a whole number"));
    EXPECT_THAT(refusal("energy_pJ = [8, 16, 24]", "energy_pJ = [8, 16, 1e300]"),
                HasSubstr("energy_pJ: expected at most 1e+12, found 1e+300"));
    EXPECT_THAT(refusal("times = [\"core.lanes\", 2]", "times = [\"core.lanes\", 2e20]"),
                HasSubstr("times: expected at most 1e+12, found 2e+20"));
    EXPECT_THAT(refusal("voltage = 0.5", "voltage = 500"), HasSubstr("voltage: expected a number from 0.1 to 10"));
}

TEST(TableFile, RefusesASecondPointInOnePlaceOfAnArray) {
    EXPECT_THAT(refusal("{capacity = 4096,", "{capacity = 1024, ways = 1,"), HasSubstr("found a second one for these"));
}

TEST(TableFile, RefusesRangesOutOfOrder) {
    EXPECT_THAT(refusal("[8, 16, 24]", "[17, 16, 24]"), HasSubstr("energy_pJ: expected low <= typical <= high"));
    EXPECT_THAT(refusal("[8, 16, 24]", "[8, 25, 24]"), HasSubstr("low <= typical <= high"));
    EXPECT_THAT(refusal("[8, 16, 24]", "[8, 16]"), HasSubstr("one number, or three"));
    EXPECT_THAT(refusal("[8, 16, 24]", "[8, 16, inf]"), HasSubstr("expected a number"));
}

TEST(TableFile, NamesTheNearestKey) {
    EXPECT_THAT(refusal("energy_pJ = [8", "enrgy_pJ = [8"),
                HasSubstr("unknown key 'enrgy_pJ' in [[event]], did you mean 'energy_pJ'?"));
    EXPECT_THAT(refusal("[not_priced]", "[not_prised]"), HasSubstr("did you mean 'not_priced'?"));
    EXPECT_THAT(refusal("busy_cycles", "busy_cycle"), HasSubstr("did you mean 'busy_cycles'?"));
}

TEST(TableFile, RefusesWrongTypes) {
    EXPECT_THAT(refusal("node_nm = 40", "node_nm = \"40\""),
                HasSubstr("[[structure]], node_nm: expected a number, found the text '40'"));
    EXPECT_THAT(refusal("counters = [\"flits\"]", "counters = \"flits\""), HasSubstr("expected a list of texts"));
    EXPECT_THAT(refusal("part = \"gpu\"", "part = \"cpu\""), HasSubstr("expected \"gpu\" or \"memory\""));
    EXPECT_THAT(refusal("access = \"read\"", "access = \"reed\""),
                HasSubstr("expected \"read\", \"write\" or \"tag\""));
    EXPECT_THAT(refusal("scales = false", "scales = true"), HasSubstr("scales: expected false"));
    EXPECT_THAT(refusal("name = \"registers\"", "name = \"registers\"\notherwise = \"none\""),
                HasSubstr("otherwise: expected a key 'when'"));
    for (const char* wrong :
         {"scales = false\nfixed_lengths = true", "node_nm = 40\nvoltage = 2\nfixed_lengths = false"})
        EXPECT_THAT(refusal("scales = false", wrong), HasSubstr("fixed_lengths: expected true"));
}

TEST(TableFile, RefusesValuesWithoutSourceOrTechnology) {
    EXPECT_THAT(refusal("leakage = \"logic\"\nclock_pJ", "clock_pJ"), HasSubstr("expected a key 'leakage'"));
    EXPECT_THAT(refusal("node_nm = 40\n", ""), HasSubstr("expected a key 'node_nm' in [[structure]], found none"));
    EXPECT_THAT(refusal("busy_cycles = [\"issued\"]\nsource = \"s\"", "busy_cycles = [\"issued\"]"),
                HasSubstr("expected a key 'source'"));
    EXPECT_THAT(refusal("energy_pJ = [8, 16, 24]\nsource = \"s\"", "energy_pJ = [8, 16, 24]"),
                HasSubstr("expected a key 'source' in [[event]]"));
    EXPECT_THAT(refusal("energy_pJ = [8, 16, 24]", ""), HasSubstr("either 'access' or 'energy_pJ'"));
}

TEST(TableFile, RefusesNamesThatStandForNothing) {
    EXPECT_THAT(refusal("array = \"ram\"", "array = \"rom\""), HasSubstr("there is no [array.rom]"));
    EXPECT_THAT(refusal("leakage = \"logic\"", "leakage = \"logik\""), HasSubstr("there is no [leakage.logik]"));
    EXPECT_THAT(refusal("kinds = [\"core\"]\nnode_nm", "kinds = [\"cores\"]\nnode_nm"),
                HasSubstr("'cores' is in no [[component]], did you mean 'core'?"));
    EXPECT_THAT(refusal("kinds = [\"core\"]\nnode_nm", "kinds = [\"core\"]\nbeside = [\"buss\"]\nnode_nm"),
                HasSubstr("'buss' is in no [[component]], did you mean 'bus'?"));
}

TEST(TableFile, RefusesKindsNamedTwiceOrWithoutStructure) {
    EXPECT_THAT(refusal("kinds = [\"bus\"]\n[not", "kinds = [\"bus\", \"core\"]\n[not"),
                HasSubstr("'core' is named twice: in 'wires', and in 'cores'"));
    EXPECT_THAT(refusal("dispatcher = ", "bus = "), HasSubstr("and in [not_priced]"));
    EXPECT_THAT(refusal("kinds = [\"core\"]\nnode_nm", "kinds = [\"core\", \"core\"]\nnode_nm"),
                HasSubstr("'core' is named twice, and would be priced twice"));
    EXPECT_THAT(refusal("kinds = [\"bus\"]\n[not", "kinds = [\"bus\", \"ring\"]\n[not"),
                HasSubstr("'ring' of 'wires' has no [[structure]]"));
}

TEST(TableFile, RefusesWhatIsNoToml) {
    EXPECT_THAT(refusal("title = \"tiny\"", "title = "), HasSubstr("t.toml:1:"));
}

TEST(TableFile, TheTablesOfTheTreeAreSound) {
    int tables = 0;
    for (const auto& entry : std::filesystem::directory_iterator(TESSERA_ENERGY_TABLES))
        if (entry.path().extension() == ".toml") {
            const Table table = energy::read_table(entry.path());
            EXPECT_FALSE(table.structures.empty());
            ++tables;
        }
    EXPECT_GE(tables, 1);
}

// CACTI 7, ../shared/data/energy/cacti.csv: 16 KiB, 4 ways, 22 nm, lstp, 350 K; vdd_V is 0.8 in every row of 22 nm
// lstp.
TEST(TableFile, Mobile22HasCactisFiguresForItsVoltage) {
    const Table table = energy::read_table(std::filesystem::path(TESSERA_ENERGY_TABLES) / "mobile22.toml");
    const energy::ArrayValues cache = table.arrays.at("cache").at(16384, 4);
    EXPECT_NEAR(cache.read_pJ.low, 4.37, 0.01);
    EXPECT_NEAR(cache.read_pJ.typical, 9.04, 0.01);
    EXPECT_NEAR(cache.read_pJ.high, 29.8, 0.1);
    for (const auto& [name, array] : table.arrays) EXPECT_EQ(array.given, (energy::Technology{22, 0.8})) << name;
    int queues = 0;
    for (const energy::Structure& structure : table.structures)
        if (structure.name.find("queue") != std::string::npos || structure.name == "miss registers") {
            EXPECT_EQ(structure.given, (energy::Technology{22, 0.8})) << structure.name;
            ++queues;
        }
    EXPECT_EQ(queues, 11);
}

}  // namespace
