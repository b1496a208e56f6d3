#include "engine/histogram.h"

#include <limits>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace engine {
namespace {

using testing::ElementsAre;

// Looks through the edges.
std::size_t slow_bin(const std::vector<std::uint64_t>& edges, std::uint64_t value) {
    std::size_t bin = 0;
    while (bin + 1 < edges.size() && edges[bin + 1] <= value) ++bin;
    return bin;
}

TEST(BinScale, HasTheEdgesItIsAskedFor) {
    EXPECT_THAT(BinScale::logarithmic("latency", 0, 16).lower_edges(), ElementsAre(0, 1, 2, 4, 8, 16));
    EXPECT_THAT(BinScale::logarithmic("latency", 1, 16).lower_edges(), ElementsAre(0, 1, 2, 3, 4, 6, 8, 12, 16));
    EXPECT_THAT(BinScale::linear("entries", 4).lower_edges(), ElementsAre(0, 1, 2, 3, 4));
    EXPECT_EQ(BinScale::linear("entries", 4).axis(), "entries");
}

TEST(BinScale, FindsTheBinThatASearchThroughTheEdgesFinds) {
    std::mt19937_64 random(1);
    for (const BinScale& scale : {BinScale::logarithmic("a", 0, 1 << 10), BinScale::logarithmic("a", 3, 1 << 14),
                                  BinScale::logarithmic("a", 5, std::uint64_t{1} << 40), BinScale::linear("a", 1),
                                  BinScale::linear("a", 16), BinScale::linear("a", 255)}) {
        const std::vector<std::uint64_t> edges = scale.lower_edges();
        ASSERT_EQ(edges.size(), scale.size());
        for (std::size_t bin = 1; bin < edges.size(); ++bin) ASSERT_LT(edges[bin - 1], edges[bin]);
        std::vector<std::uint64_t> values = edges;
        for (const std::uint64_t edge : edges) values.push_back(edge - 1);  // 2^64 - 1, too
        for (int i = 0; i < 10'000; ++i) values.push_back(random() >> random() % 64);
        for (const std::uint64_t value : values) ASSERT_EQ(scale.bin_of(value), slow_bin(edges, value)) << value;
    }
}

TEST(BinScale, HasNoBinWiderThanItsShareOfTheValues) {
    const BinScale scale = BinScale::logarithmic("a", 3, 1 << 14);
    for (std::size_t bin = 1; bin + 1 < scale.size(); ++bin) {
        const std::uint64_t width = scale.lower_edge(bin + 1) - scale.lower_edge(bin);
        EXPECT_TRUE(width == 1 || 8 * width <= scale.lower_edge(bin)) << bin;
    }
}

TEST(Histogram, CountsAsASlowOneDoes) {
    CounterList list({"cache", 3});
    Histogram histogram(&list, "latency", "cycle", "from here to there", BinScale::logarithmic("latency", 2, 1 << 12));
    std::vector<std::uint64_t> expected(histogram.scale().size(), 0);
    std::mt19937_64 random(2);
    for (int i = 0; i < 100'000; ++i) {
        const std::uint64_t value = random() >> (44 + random() % 20);
        histogram.add(value);
        ++expected[slow_bin(histogram.scale().lower_edges(), value)];
    }
    EXPECT_EQ(histogram.bins(), expected);
}

TEST(Histogram, IsACounterForEachBin) {
    CounterList list({"cache", 3});
    Counter before(&list, "hits", "1", "");
    HistogramRow<2> row(&list, "latency", {"red", "green"}, "cycle", "time", BinScale::linear("latency", 2));
    ++before;
    row[1].add(1);
    row[1].add(7);
    ASSERT_EQ(list.all().size(), 7U);
    EXPECT_EQ(list.all()[0].bins, nullptr);
    for (std::uint32_t i = 1; i < 7; ++i) {
        const CounterInfo& info = list.all()[i];
        EXPECT_EQ(info.owner, (CounterOwner{"cache", 3}));
        EXPECT_EQ(info.name, i < 4 ? "latency_red" : "latency_green");
        EXPECT_EQ(info.bin, (i - 1) % 3);
        EXPECT_EQ(info.bins->size(), 3U);
        EXPECT_EQ(*info.value, i == 5 || i == 6 ? 1U : 0U);
    }
    EXPECT_EQ(list.all()[4].doc, "time: green");

    std::vector<std::byte> bytes;
    Archive writer(&bytes);
    list.serialize(writer);
    CounterList other({"cache", 3});
    Counter again(&other, "hits", "1", "");
    HistogramRow<2> row_again(&other, "latency", {"red", "green"}, "cycle", "time", BinScale::linear("latency", 2));
    Archive reader{std::span<const std::byte>(bytes)};
    other.serialize(reader);
    EXPECT_EQ(again.value(), 1U);
    EXPECT_EQ(row_again[1].bins(), row[1].bins());
}

}  // namespace
}  // namespace engine
