#include "models/structures/wavefront_allocator.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace models {
namespace {

using testing::ElementsAre;
using testing::Pair;
using Grants = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

Grants allocate(WavefrontAllocator& allocator, const std::vector<std::uint64_t>& requests) {
    Grants grants;
    allocator.allocate(requests, [&](std::uint32_t row, std::uint32_t column) { grants.emplace_back(row, column); });
    std::sort(grants.begin(), grants.end());
    return grants;
}

// By the book: cell by cell, diagonal by diagonal, over a square matrix. By row.
Grants by_the_book(const std::vector<std::uint64_t>& requests, std::uint32_t n, std::uint32_t first, bool one) {
    std::vector<bool> row_taken(n), column_taken(n);
    Grants grants;
    for (std::uint32_t d = 0; d < n; ++d)
        for (std::uint32_t row = 0; row < n; ++row) {
            const std::uint32_t column = (first + d + n - row) % n;
            if (row >= requests.size() || (requests[row] >> column & 1U) == 0) continue;
            if (row_taken[row] || (one && column_taken[column])) continue;
            row_taken[row] = column_taken[column] = true;
            grants.emplace_back(row, column);
        }
    std::sort(grants.begin(), grants.end());
    return grants;
}

TEST(WavefrontAllocator, BeginsOneDiagonalFurtherWhenSomebodyAsked) {
    WavefrontAllocator allocator(2, 2, true);
    const std::vector<std::uint64_t> all{3, 3};
    EXPECT_THAT(allocate(allocator, all), ElementsAre(Pair(0, 0), Pair(1, 1)));  // diagonal 0: row + column even
    EXPECT_THAT(allocate(allocator, {0, 0}), ElementsAre());
    EXPECT_THAT(allocate(allocator, all), ElementsAre(Pair(0, 1), Pair(1, 0)));
    EXPECT_THAT(allocate(allocator, all), ElementsAre(Pair(0, 0), Pair(1, 1)));
}

TEST(WavefrontAllocator, GrantsAColumnToSeveralRowsIfItMay) {
    WavefrontAllocator allocator(3, 4, false);
    EXPECT_EQ(allocate(allocator, {4, 4, 4}).size(), 3U);
    WavefrontAllocator strict(3, 4, true);
    EXPECT_EQ(allocate(strict, {4, 4, 4}).size(), 1U);
}

RC_GTEST_PROP(WavefrontAllocator, IsTheWaveByTheBookAndMaximal, ()) {
    const auto rows = *rc::gen::inRange<std::uint32_t>(1, 17), columns = *rc::gen::inRange<std::uint32_t>(1, 65);
    const bool one = *rc::gen::arbitrary<bool>();
    const std::uint32_t n = std::max(rows, columns);
    const std::uint64_t mask = columns == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << columns) - 1;
    WavefrontAllocator allocator(rows, columns, one);
    std::uint32_t first = 0;
    for (int round = 0; round < 20; ++round) {
        std::vector<std::uint64_t> requests(rows);
        for (std::uint64_t& row : requests) row = *rc::gen::arbitrary<std::uint64_t>() & mask;
        const Grants grants = allocate(allocator, requests);
        RC_ASSERT(grants == by_the_book(requests, n, first, one));
        std::uint64_t taken = 0;
        std::vector<bool> granted(rows);
        for (const auto& [row, column] : grants) {
            RC_ASSERT((requests[row] >> column & 1U) == 1);
            granted[row] = true;
            taken |= std::uint64_t{1} << column;
        }
        for (std::uint32_t row = 0; row < rows; ++row)
            if (!granted[row]) RC_ASSERT((requests[row] & (one ? ~taken : ~std::uint64_t{0})) == 0);
        if (std::any_of(requests.begin(), requests.end(), [](std::uint64_t row) { return row != 0; }))
            first = (first + 1) % n;
    }
}

TEST(WavefrontAllocator, ServesEveryPairEquallyOften) {
    WavefrontAllocator allocator(4, 16, true);
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> served;
    for (int i = 0; i < 16 * 10; ++i)
        for (const auto& grant : allocate(allocator, std::vector<std::uint64_t>(4, 0xffff))) ++served[grant];
    EXPECT_EQ(served.size(), 64U);
    for (const auto& [pair, count] : served) EXPECT_EQ(count, 10);
}

}  // namespace
}  // namespace models
