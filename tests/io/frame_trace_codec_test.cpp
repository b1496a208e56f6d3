#include "io/frame_trace_codec.h"

#include <algorithm>
#include <optional>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "io/frame_trace_values.h"

namespace {

using models::functional::Workers;

struct Row {
    std::uint32_t start = 0;
    std::uint16_t count = 0, other = 0;
    bool flag = false;
    bool operator==(const Row&) const = default;
};

// As io/frame_trace_columns.h has them: each kind of coding.
constexpr auto columns = [](auto&& column) {
    const io::ColumnMaker make(column);
    make.delta("count", [](auto& r) -> auto& { return r.count; }, "1", "");
    make.run("start", [](auto& r) -> auto& { return r.start; }, "count", [](auto& r) { return r.count; }, "");
    make.exclusive_or("other", [](auto& r) -> auto& { return r.other; }, "count", [](auto& r) { return r.count; }, "");
    make.plain("flag", [](auto& r) -> auto& { return r.flag; }, "1", "");
};

// Runs that follow one another but for a jump now and then, which may wrap.
std::vector<Row> sample_rows(std::size_t count) {
    std::vector<Row> rows(count);
    std::uint32_t state = 1, start = 0;
    for (Row& row : rows) {
        state = state * 1664525U + 1013904223U;
        row.start = start;
        row.count = static_cast<std::uint16_t>(state >> 28U);
        row.other = static_cast<std::uint16_t>(state >> 13U);
        row.flag = (state >> 27U & 1U) != 0;
        start += row.count + (state % 100 == 0 ? state : 0);
    }
    return rows;
}

// What is stored of each column.
std::vector<std::vector<std::uint64_t>> encoded(const std::vector<Row>& rows, const Workers& workers) {
    std::vector<std::vector<std::uint64_t>> all;
    io::Hdf5Buffer buffer;
    columns([&](const auto& column) {
        const auto coded = io::encode(rows, column, buffer, workers);
        all.emplace_back(coded.begin(), coded.end());
    });
    return all;
}

// The first row with an impossible value of the first column that has one.
std::optional<std::size_t> decode(const std::vector<std::vector<std::uint64_t>>& coded, std::vector<Row>& rows,
                                  const Workers& workers) {
    rows.resize(coded[0].size());
    io::TableValues values;
    std::size_t number = 0;
    columns([&](const auto& column) {
        using S = io::Stored<io::ColumnValue<std::vector<Row>, std::remove_cvref_t<decltype(column)>>>;
        const std::vector<std::uint64_t>& from = coded[number++];
        S* const stored = static_cast<S*>(values.next_buffer().of_bytes(from.size() * sizeof(S)));
        std::transform(from.begin(), from.end(), stored, [](std::uint64_t value) { return static_cast<S>(value); });
        (void)values.restore<std::vector<Row>>(std::span<S>(stored, from.size()), column, workers);
    });
    const auto bad = values.set(rows, columns, workers);
    return bad ? std::optional(bad->row) : std::nullopt;
}

constexpr std::size_t several_pieces = 600'000;

TEST(FrameTraceCodec, PiecesOfAColumnAreCodedAsTheWholeOfIt) {
    const Workers alone(1), three(3);
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, several_pieces}) {
        const std::vector<Row> rows = sample_rows(count);
        const auto coded = encoded(rows, alone);
        EXPECT_EQ(encoded(rows, three), coded);
        for (const Workers* workers : {&alone, &three}) {
            std::vector<Row> back;
            EXPECT_EQ(decode(coded, back, *workers), std::nullopt);
            EXPECT_TRUE(back == rows) << count << " rows, " << workers->count() << " workers";
        }
    }
}

TEST(FrameTraceCodec, TheFirstRowWithAnImpossibleValueIsFound) {
    const Workers alone(1), three(3);
    auto coded = encoded(sample_rows(several_pieces), alone);
    for (const std::size_t row : {several_pieces - 1, std::size_t{300'001}, std::size_t{300'000}, std::size_t{5}}) {
        coded[3][row] = 2;  // of a boolean
        std::vector<Row> back;
        EXPECT_EQ(decode(coded, back, alone), row);
        EXPECT_EQ(decode(coded, back, three), row);
    }
}

RC_GTEST_PROP(FrameTraceCodec, ZigzagIsUndone, (std::uint32_t value)) {
    RC_ASSERT(io::unzigzag(io::zigzag(value)) == value);
    const auto narrow = static_cast<std::uint8_t>(value);
    RC_ASSERT(io::unzigzag(io::zigzag(narrow)) == narrow);
}

TEST(FrameTraceCodec, ZigzagMakesSmallDifferencesSmall) {
    EXPECT_EQ(io::zigzag<std::uint16_t>(0), 0);
    EXPECT_EQ(io::zigzag<std::uint16_t>(0xffff), 1);
    EXPECT_EQ(io::zigzag<std::uint16_t>(1), 2);
    EXPECT_EQ(io::zigzag<std::uint16_t>(0xfffe), 3);
}

}  // namespace
