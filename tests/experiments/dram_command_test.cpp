// tessera dram.

#include <cstdlib>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/experiments/program.h"

namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using tests::expect_one_line;
using tests::ProgramEnd;
using tests::quoted;
using tests::tessera;

const std::string lpddr3 = "dram --device lpddr3-1600 --channels 1 --bus-bits 64 ";

double value(const ProgramEnd& end, const std::string& key) {
    EXPECT_EQ(end.code, 0) << end.err;
    const std::size_t at = end.out.find("\"" + key + "\": ");
    EXPECT_NE(at, std::string::npos) << key << " in " << end.out;
    return at == std::string::npos ? -1 : std::strtod(end.out.c_str() + at + key.size() + 4, nullptr);
}

TEST(DramCommand, SaysInJsonWhatTheReferenceMeasured) {
    const ProgramEnd chase = tessera(lpddr3 + "--pattern chase-random --requests 20000 --json");
    EXPECT_NEAR(value(chase, "bandwidth_GBps"), 1.0340, 0.03 * 1.0340);
    EXPECT_NEAR(value(chase, "latency_mean_ns"), 60.647, 0.05 * 60.647);
    EXPECT_EQ(value(chase, "latency_p50_ns"), 58.75);
    EXPECT_LE(value(chase, "latency_p95_ns"), value(chase, "latency_p99_ns"));
    EXPECT_NEAR(value(chase, "row_hit_ratio"), 0.0001, 0.02);
    EXPECT_NEAR(value(chase, "energy_per_bit_pJ"), 152.0 / 8, 0.03 * 152 / 8);
    const ProgramEnd stride = tessera(lpddr3 + "--pattern stride:4096 --requests 50000 --json");
    EXPECT_NEAR(value(stride, "bandwidth_GBps"), 9.5034, 0.03 * 9.5034);
    EXPECT_NEAR(value(stride, "row_hit_ratio"), 0.4992, 0.02);
    const ProgramEnd sequential = tessera(lpddr3 + "--pattern chase-sequential --requests 20000 --json");
    EXPECT_NEAR(value(sequential, "latency_mean_ns"), 22.855, 0.05 * 22.855);
}

TEST(DramCommand, HasNoLatencyOfWrites) {
    const ProgramEnd writes = tessera(lpddr3 + "--pattern stream --write-fraction 1 --json");
    EXPECT_NEAR(value(writes, "bandwidth_GBps"), 11.9061, 0.03 * 11.9061);
    EXPECT_THAT(writes.out, HasSubstr("\"latency_mean_ns\": null"));
}

TEST(DramCommand, TellsPeopleTheSame) {
    const ProgramEnd end = tessera("dram --device lpddr5-6400 --pattern random --load 0.5 --write-fraction 0.3");
    EXPECT_EQ(end.code, 0) << end.err;
    EXPECT_THAT(end.out, HasSubstr("2 x 16 bits of lpddr5-6400: 25.60 GB/s"));
    EXPECT_THAT(end.out, ContainsRegex("bandwidth   12\\.[5-9]"));
    EXPECT_THAT(end.out, HasSubstr("pJ/bit"));
}

TEST(DramCommand, ChangesAnyParameterOfTheMemory) {
    const std::string chase = lpddr3 + "--pattern chase-random --requests 2000 --json --set dram.refresh=off ";
    EXPECT_EQ(value(tessera(chase), "latency_p50_ns"), 58.75);
    EXPECT_EQ(value(tessera(chase + "--set dram.page=closed"), "latency_p50_ns"), 40);
    EXPECT_EQ(value(tessera(chase + "--set dram.timing.rcd=20"), "latency_p50_ns"), 58.75 + 5 * 1.25);
}

TEST(DramCommand, PlaysTraces) {
    const tests::TemporaryFolder folder;
    std::ofstream timed(folder / "timed"), load_store(folder / "ls");
    for (int i = 0; i < 1000; ++i) {
        timed << i * 64 << (i % 4 == 3 ? " WRITE " : " READ ") << i * 100 << "\n";
        load_store << (i % 4 == 3 ? "ST " : "LD ") << i * 64 << "\n";
    }
    timed.close();
    load_store.close();
    const ProgramEnd slow = tessera(lpddr3 + "--json --trace " + quoted(folder / "timed"));
    EXPECT_NEAR(value(slow, "bandwidth_GBps"), 64 / 125.0, 0.01);
    EXPECT_EQ(value(slow, "latency_p50_ns"), 21.25);
    const ProgramEnd fast = tessera(lpddr3 + "--json --trace " + quoted(folder / "ls"));
    EXPECT_GT(value(fast, "bandwidth_GBps"), 8);
}

TEST(DramCommand, RefusesWhatCannotBeInOneLine) {
    const tests::TemporaryFolder folder;
    std::ofstream(folder / "bad") << "LD 0x40\nLD forty\n";
    std::ofstream(folder / "far") << "LD 0x40000000\n";
    expect_one_line(tessera(lpddr3 + "--trace " + quoted(folder / "bad")), 3, "bad:2:4: expected an address");
    expect_one_line(tessera("dram --device lpddr3-1600 --channels 1 --trace " + quoted(folder / "far")), 3,
                    "far:1:4: expected an address below the 1073741824 bytes of memory");
    expect_one_line(tessera(lpddr3 + "--trace " + quoted(folder / "absent")), 4, "absent");
    expect_one_line(tessera("dram"), 2, "expected --pattern or --trace");
    expect_one_line(tessera(lpddr3 + "--pattern zigzag"), 2, "expected chase-random, chase-sequential, stream");
    expect_one_line(tessera(lpddr3 + "--pattern randm"), 2, "found 'randm', did you mean 'random'?");
    expect_one_line(tessera(lpddr3 + "--pattern strid:64"), 2, "did you mean 'stride:BYTES'?");
    expect_one_line(tessera(lpddr3 + "--pattern stride:"), 2, "stride:BYTES");
    expect_one_line(tessera(lpddr3 + "--pattern stride:0"), 2, "stride:BYTES");
    expect_one_line(tessera(lpddr3 + "--pattern random --load 0"), 2, "--load: expected a number above 0, up to 1");
    expect_one_line(tessera(lpddr3 + "--pattern random --write-fraction 1.5"), 2, "from 0 to 1, found '1.5'");
    expect_one_line(tessera(lpddr3 + "--pattern random --requests 0"), 2, "expected a whole number");
    expect_one_line(tessera(lpddr3 + "--pattern chase-random --load 0.5"), 2, "a chase has none");
    expect_one_line(tessera(lpddr3 + "--pattern chase-random --write-fraction 0.5"), 2, "a chase reads");
    expect_one_line(tessera(lpddr3 + "--pattern random --trace x"), 2, "excludes");
    expect_one_line(tessera("dram --device lpddr2 --pattern random"), 2, "lpddr3-800");
    expect_one_line(tessera("dram --device lpddr3-160 --pattern random"), 2, "did you mean \"lpddr3-1600\"?");
    expect_one_line(tessera("dram --device lpddr3-1600 --bus-bits 48 --pattern random"), 2,
                    "dram.bus_bits: expected 32");
    expect_one_line(tessera("dram --channels 0 --pattern random"), 2, "1 .. 16");
    expect_one_line(tessera(lpddr3 + "--pattern random --set dram.timing.rc=3"), 2,
                    "dram.timing.rc: expected at least");
    expect_one_line(tessera(lpddr3 + "--pattern random --set dram.timing.rx=3"), 2, "rx");
    expect_one_line(tessera(lpddr3 + "--pattern random --set dram.model=flat"), 2, "dram.model: expected timed");
    expect_one_line(tessera(lpddr3 + "--pattern random --set l2.slices=4"), 2, "l2");
}

}  // namespace
