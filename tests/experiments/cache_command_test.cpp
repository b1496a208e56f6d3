// tessera cache.

#include <cstdlib>
#include <fstream>
#include <list>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/counter_rng.h"
#include "tests/experiments/program.h"

namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using tests::expect_one_line;
using tests::ProgramEnd;
using tests::quoted;
using tests::tessera;

class CacheCommand : public testing::Test {
  protected:
    ProgramEnd play(const std::string& trace, const std::string& arguments = "") {
        std::ofstream(folder_ / "t") << trace;
        return tessera("cache --trace " + quoted(folder_ / "t") + " " + arguments);
    }
    // Of one set of so many lines of 64 bytes.
    static std::string ways(int count) {
        return " --json --set 'cache.capacity=" + std::to_string(64 * count) +
               " B' --set cache.ways=" + std::to_string(count) + " ";
    }
    tests::TemporaryFolder folder_;
};

double value(const ProgramEnd& end, const std::string& key) {
    EXPECT_EQ(end.code, 0) << end.err;
    const std::size_t at = end.out.find("\"" + key + "\": ");
    EXPECT_NE(at, std::string::npos) << key << " in " << end.out;
    return at == std::string::npos ? -1 : std::strtod(end.out.c_str() + at + key.size() + 4, nullptr);
}

// A loop of five lines in four: LRU evicts what comes next, the optimum all but once in four accesses what comes last.
TEST_F(CacheCommand, TellsWhatLruMissesAndTheOptimumHits) {
    std::string loop;
    for (int i = 0; i < 45; ++i) loop += std::to_string(i % 5 * 64) + "\n";
    const ProgramEnd lru = play(loop, ways(4));
    EXPECT_EQ(value(lru, "accesses"), 45);
    EXPECT_EQ(value(lru, "hits"), 0);
    EXPECT_EQ(value(lru, "misses"), 45);
    EXPECT_EQ(value(lru, "cold_misses"), 5);
    EXPECT_EQ(value(lru, "capacity_misses"), 40);
    EXPECT_EQ(value(lru, "conflict_misses"), 0);
    EXPECT_EQ(value(lru, "optimal_hits"), 30);
    EXPECT_NEAR(value(lru, "optimal_hit_ratio"), 30 / 45.0, 1e-6);
    EXPECT_EQ(value(lru, "fetched_B"), 45 * 64);
    EXPECT_EQ(value(lru, "first_accesses"), 5);
    EXPECT_THAT(lru.out,
                HasSubstr("\"reuse_distance_lines\": [{\"from\": 0, \"to\": 0, \"accesses\": 0}, "
                          "{\"from\": 1, \"to\": 1, \"accesses\": 0}, {\"from\": 2, \"to\": 3, \"accesses\": 0}, "
                          "{\"from\": 4, \"to\": 7, \"accesses\": 40}]}"));
    const ProgramEnd room = play(loop, ways(8));
    EXPECT_EQ(value(room, "hits"), 40);
    EXPECT_NEAR(value(room, "hit_ratio"), 40 / 45.0, 1e-6);
    const ProgramEnd random = play(loop, ways(4) + "--set cache.replacement=random");
    EXPECT_GT(value(random, "hits"), 0);
    EXPECT_LE(value(random, "hits"), value(random, "optimal_hits"));
}

// Against a cache that is a list of lines for each set, as textbooks draw it.
TEST_F(CacheCommand, AgreesWithAListOfLines) {
    constexpr int sets = 8, ways = 2, line = 32;
    std::map<std::uint64_t, std::list<std::pair<std::uint64_t, bool>>> lists;
    engine::CounterRng draws(5, 0);
    int hits = 0, fetched = 0, written = 0, writes = 0;
    std::string trace;
    for (int i = 0; i < 20000; ++i) {
        const std::uint64_t address = 0x7ffd00000000 + draws.below(1 << 10) + (draws.below(4) == 0 ? 1 << 14 : 0);
        const bool is_write = draws.below(4) == 0;
        char text[40];
        std::snprintf(text, sizeof text, "%d %llx\n",
                      is_write              ? 1
                      : draws.below(2) == 0 ? 0
                                            : 2,
                      static_cast<unsigned long long>(address));
        trace += text;
        writes += is_write ? 1 : 0;
        auto& set = lists[address / line % sets];
        const auto is_it = [&](const auto& held) { return held.first == address / line; };
        const auto found = std::find_if(set.begin(), set.end(), is_it);
        bool is_dirty = is_write;
        if (found != set.end()) {
            ++hits;
            is_dirty |= found->second;
            set.erase(found);
        } else {
            fetched += line;
            if (set.size() == ways) {
                written += set.back().second ? line : 0;
                set.pop_back();
            }
        }
        set.emplace_front(address / line, is_dirty);
    }
    int dirty = 0;
    for (const auto& [index, set] : lists)
        for (const auto& held : set) dirty += held.second ? 1 : 0;
    const ProgramEnd end =
        play(trace, "--json --set 'cache.capacity=512 B' --set cache.ways=2 --set 'cache.line=32 B'");
    EXPECT_GT(hits, 2000);
    EXPECT_EQ(value(end, "writes"), writes);
    EXPECT_EQ(value(end, "hits"), hits);
    EXPECT_EQ(value(end, "fetched_B"), fetched);
    EXPECT_EQ(value(end, "written_B"), written);
    EXPECT_EQ(value(end, "written_back_lines"), written / line);
    EXPECT_EQ(value(end, "left_dirty_lines"), dirty);
    EXPECT_GT(value(end, "conflict_misses"), 0);
    EXPECT_GE(value(end, "optimal_hits"), hits);
}

TEST_F(CacheCommand, TellsPeopleTheSame) {
    const ProgramEnd end = play("0 R\n0 W\n4096 R\n0 R\n", "--set 'cache.capacity=8 KiB' --set cache.ways=1");
    EXPECT_EQ(end.code, 0);
    EXPECT_EQ(end.err, "");
    EXPECT_THAT(end.out, HasSubstr("8 KiB: 128 sets of 1 ways, lines of 64 B, lru, write_back\n"));
    EXPECT_THAT(end.out, ContainsRegex("accesses +4  100.00 %  1 write\n"));
    EXPECT_THAT(end.out, ContainsRegex("hits +2 +50.00 %\n"));
    EXPECT_THAT(end.out, ContainsRegex("cold +2 +50.00 %"));
    EXPECT_THAT(end.out, ContainsRegex("\n  1 +1 +25.00 %  ####################\n"));
    EXPECT_THAT(end.out, ContainsRegex("\n  first access +2 +50.00 %  ########################################\n"));
}

TEST_F(CacheCommand, PlaysTracesOfEveryFormat) {
    for (const char* trace : {"0x40 READ 1\n0x80 WRITE 1\n64 READ 9\n", "LD 0x40\nST 128\nLD 64\n",
                              "R 64\nW 128\nR 64\n", "64\n128 W\n64 R\n", "0 4f\n1 80 comment\n2 40\n"}) {
        const ProgramEnd end = play(trace, "--json");
        EXPECT_EQ(value(end, "accesses"), 3) << trace;
        EXPECT_EQ(value(end, "writes"), 1) << trace;
        EXPECT_EQ(value(end, "hits"), 1) << trace;
    }
    EXPECT_EQ(value(play("0 1000\n0 1020\n", "--json --format din"), "hits"), 1);
    EXPECT_EQ(value(play("1000\n1020\n", "--json --format list"), "hits"), 1);
}

TEST_F(CacheCommand, ChangesAnyParameterOfTheCache) {
    const std::string trace = "0 W\n32 R\n64 W\n0 R\n96 R\n";
    EXPECT_EQ(value(play(trace, "--json"), "fetched_B"), 128);
    EXPECT_EQ(value(play(trace, "--json --set 'cache.line=128 B'"), "hits"), 4);
    EXPECT_EQ(value(play(trace, "--json --set 'cache.sector=32 B'"), "fetched_B"), 4 * 32);
    const ProgramEnd through = play(trace, "--json --set cache.write_policy=write_through");
    EXPECT_EQ(value(through, "written_B"), 64);
    EXPECT_EQ(value(through, "left_dirty_lines"), 0);
    // What is there for the sake of time is said to change nothing.
    const ProgramEnd timed = play(trace, "--json --set cache.mshrs=3 --set cache.latency=9 --set cache.banks=1");
    EXPECT_EQ(timed.out, play(trace, "--json").out);
    EXPECT_THAT(timed.err, HasSubstr("cache.mshrs = 3 has no effect"));
    EXPECT_THAT(timed.err, HasSubstr("cache.latency = 9 has no effect"));
    EXPECT_THAT(timed.err, HasSubstr("cache.banks = 1 has no effect"));
    EXPECT_THAT(timed.err, Not(HasSubstr("cache.ways")));
}

TEST_F(CacheCommand, RefusesMalformedTracesInOneLine) {
    expect_one_line(play("0x40 R\n0x80 X\n"), 3, "t:2:6: expected R or W, found X");
    expect_one_line(play("LD 0x40\nLD forty\n"), 3, "t:2:4: expected an address");
    expect_one_line(play("0 1000\n"), 3, "t:1:3: expected an address that shows that the trace is din");
    expect_one_line(play("0 1000\n"), 3, "give --format din");
    expect_one_line(play("0 1000\n", "--format list"), 3, "t:1:3: expected R or W, found 1000");
    expect_one_line(play("0 7f\n5 80\n"), 3, "t:2:1: expected 0 (a read), 1 (a write) or 2");
    expect_one_line(play("7f\n"), 3, "t:1:1: expected an address, decimal or 0x..., found 7f");
    expect_one_line(play(""), 3, "t: expected requests, found none");
    std::string far;
    for (int i = 0; i < 600; ++i) far += "0x" + std::to_string(i + 1) + "00000000\n";
    expect_one_line(play(far, "--set 'cache.capacity=256 MiB' --set cache.ways=1"), 3,
                    "t:512:1: expected addresses in at most 511 regions of 268435456 bytes, found 0x51200000000");
    expect_one_line(tessera("cache --trace " + quoted(folder_ / "absent")), 4, "absent");
    expect_one_line(tessera("cache --trace " + quoted(folder_.path())), 4, "a folder");
}

TEST_F(CacheCommand, RefusesCachesThatCannotBeInOneLine) {
    expect_one_line(tessera("cache"), 2, "--trace is required");
    expect_one_line(play("0\n", "--format dinero"), 2,
                    "--format: expected one of din, dramsim3, list, ramulator, found 'dinero'");
    expect_one_line(play("0\n", "--set cache.wayz=2"), 2, "did you mean 'cache.ways'?");
    expect_one_line(play("0\n", "--set cach.ways=2"), 2, "did you mean 'cache'?");
    expect_one_line(play("0\n", "--set cache.ways=0"), 2, "1 .. 64");
    expect_one_line(play("0\n", "--set cache.ways=3"), 2, "(the number of sets), found 16384 B, 3 ways of 64 B");
    expect_one_line(play("0\n", "--set 'cache.line=48 B'"), 2, "expected");
    expect_one_line(play("0\n", "--set cache.replacement=lur"), 2, "did you mean \"lru\"?");
    expect_one_line(play("0\n", "--set cache.banks=3"), 2, "cache.banks: expected a power of two, found 3");
    expect_one_line(play("0\n", "--set dram.page=open"), 2, "dram");
}

}  // namespace
