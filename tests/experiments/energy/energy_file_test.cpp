#include "experiments/energy/energy_file.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/file.h"
#include "tests/experiments/energy/tiny_machine.h"

namespace {

std::string tiny_csv() {
    return energy::energy_csv(tests::price_tiny(), tests::read_text(tests::tiny_table), "0123");
}

TEST(EnergyFile, SaysOfWhatItIs) {
    const std::string csv = tiny_csv();
    EXPECT_THAT(csv, testing::StartsWith("# tessera energy 1\n# results 0123\n# table t.toml "));
    EXPECT_THAT(csv,
                testing::HasSubstr("\n# technology 20 nm, 1 V\n"
                                   "frame,seconds,component,part,structure,kind,cause,low_pJ,typical_pJ,high_pJ\n"));
    EXPECT_THAT(csv, testing::HasSubstr("\n0,1e-06,\"cores\",gpu,\"arithmetic\",core,dynamic,33,66,99\n"));
    EXPECT_THAT(csv, testing::HasSubstr("\n1,2e-06,\"wires\",gpu,\"wires\",bus,dynamic,9,18,27\n"));
}

TEST(EnergyFile, LinesAddUpToTheWhole) {
    std::istringstream lines(tiny_csv());
    double sum = 0;
    for (std::string line; std::getline(lines, line);) {
        if (line.front() == '#' || line.front() == 'f') continue;
        const std::size_t high = line.rfind(','), typical = line.rfind(',', high - 1);
        sum += std::strtod(line.substr(typical + 1, high).c_str(), nullptr);
    }
    const double whole = tests::price_tiny().total().typical;
    EXPECT_NEAR(sum, whole, 1e-9 * whole);
}

TEST(EnergyFile, IsTheSameEveryTime) {
    EXPECT_EQ(tiny_csv(), tiny_csv());
}

TEST(EnergyFile, SaysWhatIsLeftOutAndWhy) {
    energy::Energy energy = tests::price_tiny();
    energy.left_out["perfect,\nas none is"] = {"cache", "l2"};
    EXPECT_THAT(energy::energy_csv(energy, tests::read_text(tests::tiny_table), "0"),
                testing::HasSubstr("\n# technology 20 nm, 1 V\n# left out cache l2: perfect,\\x0aas none is\nframe,"));
    EXPECT_THAT(tiny_csv(), testing::Not(testing::HasSubstr("left out")));
}

TEST(EnergyFile, QuotesTextsOfATable) {
    energy::Energy energy = tests::price_tiny();
    energy.parts[0].structure = "a \"b\", c\n";
    EXPECT_THAT(energy::energy_csv(energy, tests::read_text(tests::tiny_table), "0"),
                testing::HasSubstr(",\"a \"\"b\"\", c\\x0a\","));
}

TEST(EnergyFile, IsKnownByItsFirstLine) {
    const tests::TemporaryFolder folder;
    io::write_file(folder / "ours", tiny_csv());
    io::write_file(folder / "other", "# tessera energy of mine\n");
    EXPECT_TRUE(energy::energy_output.recognises(folder / "ours"));
    EXPECT_FALSE(energy::energy_output.recognises(folder / "other"));
}

}  // namespace
