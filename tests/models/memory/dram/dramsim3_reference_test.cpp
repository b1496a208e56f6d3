// Main memory against DRAMsim3: every row of ../shared/data/dram/dramsim3_reference.csv, whose README says how it was
// measured. Of its configurations one is a channel of 64 bits, the other two of 32; refresh runs as the standard says.

#include <ostream>

#include <gtest/gtest.h>

#include "tests/models/memory/dram/dram_fixture.h"

namespace models {
namespace {

enum class Load { chase_random, chase_sequential, stream_read, stream_write, random, stride };

struct Row {
    int channels;
    Load load;
    std::uint64_t stride, requests;
    double bandwidth;      // GB/s
    double latency;        // mean, ns; 0: of writes
    double row_hit_ratio;  // of bursts
    double energy;         // pJ per byte
};
void PrintTo(const Row& row, std::ostream* out) {
    *out << row.channels << " channels, load " << static_cast<int>(row.load) << ", stride " << row.stride;
}

constexpr Row rows[] = {
    {1, Load::chase_random, 64, 20000, 1.0340, 60.647, 0.0001, 152.00},
    {1, Load::chase_sequential, 64, 20000, 2.6550, 22.855, 0.986, 68.76},
    {1, Load::stream_read, 64, 200000, 11.9619, 595.778, 0.99, 48.98},
    {1, Load::stream_write, 64, 200000, 11.9061, 0.000, 0.9902, 48.05},
    {1, Load::random, 64, 100000, 4.7597, 1936.478, 0.0006, 101.24},
    {1, Load::stride, 64, 50000, 11.9657, 595.165, 0.9901, 48.97},
    {1, Load::stride, 128, 50000, 11.9634, 623.824, 0.9813, 49.35},
    {1, Load::stride, 256, 50000, 11.9538, 694.038, 0.9633, 50.16},
    {1, Load::stride, 512, 50000, 11.9489, 847.794, 0.9281, 51.73},
    {1, Load::stride, 1024, 50000, 11.9243, 849.004, 0.8678, 54.48},
    {1, Load::stride, 2048, 50000, 11.9081, 829.471, 0.7467, 59.93},
    {1, Load::stride, 4096, 50000, 9.5034, 1041.511, 0.4992, 72.15},
    {1, Load::stride, 8192, 50000, 4.7597, 2164.997, 0.0, 101.28},
    {1, Load::stride, 16384, 50000, 3.8890, 2081.853, 0.0, 104.42},
    {1, Load::stride, 32768, 50000, 1.9639, 3663.491, 0.0, 121.11},
    {1, Load::stride, 65536, 50000, 0.9836, 6777.072, 0.0, 154.92},
    {1, Load::stride, 131072, 50000, 0.9836, 6777.072, 0.0, 154.92},
    {2, Load::chase_random, 64, 20000, 0.9996, 62.779, 0.5, 131.96},
    {2, Load::chase_sequential, 64, 20000, 2.1500, 28.518, 0.9847, 74.74},
    {2, Load::stream_read, 64, 200000, 11.9619, 597.253, 0.99, 48.98},
    {2, Load::stream_write, 64, 200000, 11.9061, 0.000, 0.9902, 48.05},
    {2, Load::random, 64, 100000, 9.3338, 893.329, 0.4994, 72.25},
    {2, Load::stride, 64, 50000, 11.9657, 596.624, 0.9901, 48.97},
    {2, Load::stride, 128, 50000, 5.9806, 939.000, 0.99, 54.48},
    {2, Load::stride, 256, 50000, 5.9788, 969.839, 0.9813, 54.87},
    {2, Load::stride, 512, 50000, 5.9740, 1045.451, 0.9633, 55.68},
    {2, Load::stride, 1024, 50000, 5.9717, 1207.530, 0.9278, 57.27},
    {2, Load::stride, 2048, 50000, 5.9570, 1171.498, 0.868, 60.00},
    {2, Load::stride, 4096, 50000, 5.9494, 1166.912, 0.7466, 65.47},
    {2, Load::stride, 8192, 50000, 4.7523, 1489.414, 0.4992, 79.08},
    {2, Load::stride, 16384, 50000, 3.8773, 1532.147, 0.4989, 82.24},
    {2, Load::stride, 32768, 50000, 1.9634, 2884.296, 0.4992, 98.83},
    {2, Load::stride, 65536, 50000, 0.9848, 5473.795, 0.4993, 132.36},
    {2, Load::stride, 131072, 50000, 0.9871, 5462.576, 0.4993, 132.21},
};

class DramSim3Reference : public testing::TestWithParam<Row> {};

TEST_P(DramSim3Reference, IsMet) {
    const Row& row = GetParam();
    const TestDram memory("lpddr3-1600", row.channels, 64 / row.channels);
    DramPattern pattern = memory.pattern(DramOrder::sequential, row.requests);
    pattern.is_chase = row.load == Load::chase_random || row.load == Load::chase_sequential;
    pattern.stride = row.stride;
    if (row.load == Load::chase_random || row.load == Load::random) pattern.order = DramOrder::random;
    if (row.load == Load::stride) pattern.order = DramOrder::stride;
    if (row.load == Load::stream_write) pattern.write_fraction = 1;
    const DramFigures figures = memory.play(pattern);
    EXPECT_EQ(figures.requests, row.requests);
    EXPECT_NEAR(figures.bandwidth / 1e9, row.bandwidth, 0.03 * row.bandwidth);
    EXPECT_NEAR(figures.row_hit_ratio, row.row_hit_ratio, 0.02);
    EXPECT_NEAR(figures.energy_per_bit * 8e12, row.energy, 0.03 * row.energy);
    // Of an idle memory. Under load it is the queues that decide, and those are others.
    if (pattern.is_chase) {
        EXPECT_NEAR(figures.mean_latency() * 1.25, row.latency, 0.05 * row.latency);
    }
}

INSTANTIATE_TEST_SUITE_P(AllRows, DramSim3Reference, testing::ValuesIn(rows));

}  // namespace
}  // namespace models
