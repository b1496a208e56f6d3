#include "experiments/tessera/summary.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

// Two frames of 1000 cycles on two cores: 300 + 100 instructions in the first, 200 + 200 in the second.
io::Results two_frames() {
    io::Results results;
    results.ticks_per_second = 1'000'000;
    results.workloads = {{"game", "game.h5", "d"}};
    results.frames = {{0, 3, 0, 500, 1000, {true, 50.0, 2}}, {0, 4, 500, 1000, 1000, {true, 45.5, 9}}};
    results.performance.resize(2);
    results.performance[0].seconds = 0.5;
    results.performance[1].seconds = 0.25;
    io::KindResults cores{"fragment_processor", false, {0, 1}, {}};
    cores.counters = {{"warp_instructions", "1", "", {300, 100, 200, 200}},
                      {"thread_instructions", "1", "", {1200, 400, 800, 800}}};
    io::KindResults caches{"texture_cache", false, {0, 1}, {}};
    caches.counters = {{"hits", "1", "", {30, 0, 10, 0}}, {"accesses", "1", "", {40, 0, 40, 0}}};
    io::KindResults slices{"l2_slice", false, {0}, {}};
    // What is written past the cache is a request and no access.
    slices.counters = {{"hits", "1", "", {4, 0}}, {"accesses", "1", "", {10, 0}}, {"requests", "1", "", {50, 50}}};
    io::KindResults memory{"dram_channel", false, {0}, {}};
    memory.counters = {{"bytes", "byte", "", {1'000'000, 2'500'000}}};
    io::KindResults units{"cores", true, {0}, {}};
    units.counters = {{"cycles_busy", "cycle", "", {400, 700}, {"busy", ""}},
                      {"cycles_idle", "cycle", "", {600, 300}, {"starved", "nobody"}}};
    results.kinds = {cores, caches, slices, memory, units};
    return results;
}

std::vector<std::string> words(const std::string& line) {
    std::vector<std::string> found;
    std::string word;
    for (const char c : line + " ")
        if (c != ' ')
            word += c;
        else if (!word.empty())
            found.push_back(std::move(word)), word.clear();
    return found;
}

std::vector<std::string> lines(const std::string& text) {
    std::vector<std::string> found;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find('\n', at);
        found.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return found;
}

TEST(Summary, RowsAreTheFramesAndTheirSums) {
    const std::vector<std::string> table = lines(experiments::summary_table(two_frames()));
    ASSERT_EQ(table.size(), 4u);
    // frame, cycles, ms, IPC per core, texture hits, L2 hits, DRAM MB, image, busiest unit, wall s, kcycles/s
    EXPECT_EQ(words(table[1]), (std::vector<std::string>{"3", "1000", "0.500", "0.200", "75.0", "%", "40.0", "%",
                                                         "1.00", "50.00", "dB", "cores", "40", "%", "0.50", "2"}));
    EXPECT_EQ(words(table[2]), (std::vector<std::string>{"4", "1000", "0.500", "0.200", "25.0", "%", "-", "2.50",
                                                         "45.50", "dB", "cores", "70", "%", "0.25", "4"}));
    EXPECT_EQ(words(table[3]), (std::vector<std::string>{"all", "2000", "1.000", "0.200", "50.0", "%", "40.0", "%",
                                                         "3.50", "45.50", "dB", "cores", "55", "%", "0.75", "3"}));
}

TEST(Summary, EqualImagesAndMissingReferencesAreTold) {
    io::Results results = two_frames();
    results.frames[0].image.psnr = std::numeric_limits<double>::infinity();
    results.frames[1].image.present = false;
    const std::vector<std::string> table = lines(experiments::summary_table(results));
    EXPECT_THAT(table[1], testing::HasSubstr("infinite dB"));
    EXPECT_THAT(table[3], testing::HasSubstr("infinite dB"));
}

TEST(Summary, FramesOfSeveralWorkloadsCarryTheirNames) {
    io::Results results = two_frames();
    results.workloads.push_back({"race", "captures/race.h5", "e"});
    results.frames[1].workload = 1;
    const std::vector<std::string> table = lines(experiments::summary_table(results));
    EXPECT_THAT(table[1], testing::StartsWith("game 3"));
    EXPECT_THAT(table[2], testing::StartsWith("race 4"));
}

TEST(Summary, TotalsAreOfAllFramesAndCores) {
    const auto totals = experiments::performance_totals(two_frames());
    const auto value = [&](const std::string& name) {
        for (const io::NamedNumber& total : totals)
            if (total.name == name) return total.value;
        return -1.0;
    };
    EXPECT_EQ(value("wall_seconds_total"), 0.75);
    EXPECT_EQ(value("simulated_cycles"), 2000);
    EXPECT_EQ(value("warp_instructions"), 800);
    EXPECT_EQ(value("thread_instructions"), 3200);
    EXPECT_DOUBLE_EQ(value("cycles_per_second"), 2000 / 0.75);
}

}  // namespace
