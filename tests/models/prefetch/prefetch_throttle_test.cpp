#include "models/prefetch/prefetch_throttle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/prefetch/prefetcher_bench.h"

namespace models {
namespace {

using testing::ElementsAre;

// What happens in a period, of which all that there is comes at its beginning.
struct Period {
    int misses = 0, merges = 0, early = 0, used = 0;
};

class ThrottleTest : public testing::Test {
  protected:
    static constexpr engine::Time length = 1000;
    ThrottleTest() { shape.period = length; }

    // The degree after each period, which is set by the first access of the next one.
    std::vector<std::uint32_t> degrees(const std::vector<Period>& periods) {
        PrefetchThrottle throttle(shape);
        std::vector<std::uint32_t> all;
        engine::Time begin = 0;
        for (const Period& period : periods) {
            for (int i = 0; i < period.misses; ++i)
                see(throttle, begin, CacheObservation::Result::missed, i < period.early);
            for (int i = 0; i < period.merges; ++i) see(throttle, begin, CacheObservation::Result::joined);
            for (int i = 0; i < period.used; ++i) {
                CacheObservation access = hit(0, true);
                access.now = begin;
                throttle.observe(access);
            }
            begin += length;
            CacheObservation access = hit(0);
            access.now = begin;
            throttle.observe(access);
            all.push_back(throttle.degree());
        }
        return all;
    }
    static void see(PrefetchThrottle& throttle, engine::Time now, CacheObservation::Result result, bool early = false) {
        CacheObservation access;
        access.now = now;
        access.result = result;
        access.evicted_early = early;
        throttle.observe(access);
    }

    PrefetchThrottleShape shape;
};

TEST_F(ThrottleTest, FollowsTheTableOfItsHeader) {
    // Early rates 0, 0.015, 0.015, 0.03; merge rates 0.5, then smoothed.
    EXPECT_THAT(degrees({{100, 100, 0, 1000},     // merges 0.25: one less
                         {100, 100, 0, 1000},     // 0.375: one less
                         {100, 100, 0, 1000},     // 0.4375: there is none less
                         {100, 100, 15, 1000},    // one more
                         {100, 100, 20, 1000},    // still
                         {100, 100, 21, 1000}}),  // nothing
                ElementsAre(1, 0, 0, 1, 2, 5));
}

TEST_F(ThrottleTest, StopsWhereFewMissesAreOfLinesInFlight) {
    EXPECT_THAT(degrees({{100, 10, 0, 1000}}), ElementsAre(5));
    EXPECT_THAT(degrees({{700, 300, 0, 1000}}), ElementsAre(5));  // 0.15 of 0.3 smoothed: not above
    EXPECT_THAT(degrees({{699, 301, 0, 1000}}), ElementsAre(1));
}

TEST_F(ThrottleTest, WithoutUsedLinesAnyEarlyOneIsTooMany) {
    EXPECT_THAT(degrees({{100, 100, 1, 0}}), ElementsAre(5));
    EXPECT_THAT(degrees({{100, 100, 0, 0}}), ElementsAre(1));
}

TEST_F(ThrottleTest, TriesAgainAfterFourPeriodsWithNothing) {
    const Period bad{100, 0, 0, 0}, good{100, 300, 0, 100};
    EXPECT_THAT(degrees({bad, bad, bad, bad, bad, bad, bad, bad, bad, bad}), ElementsAre(5, 5, 5, 5, 4, 5, 5, 5, 5, 4));
    EXPECT_THAT(degrees({bad, bad, bad, bad, bad, good, good, good}), ElementsAre(5, 5, 5, 5, 4, 3, 2, 1));
}

TEST_F(ThrottleTest, APeriodInWhichNothingMissesIsNotJudged) {
    const Period idle{0, 0, 0, 50}, good{100, 300, 0, 100};
    EXPECT_THAT(degrees({idle, idle, good, idle}), ElementsAre(2, 2, 1, 1));
}

TEST_F(ThrottleTest, DropsItsDegreeOfFiveEvenly) {
    for (std::uint32_t degree = 0; degree <= 5; ++degree) {
        shape.degree = degree;
        PrefetchThrottle throttle(shape);
        int passed = 0;
        for (int i = 0; i < 5; ++i) passed += throttle.lets_pass() ? 1 : 0;
        EXPECT_EQ(passed, 5 - static_cast<int>(degree));
    }
    shape.degree = 2;
    PrefetchThrottle throttle(shape);
    std::vector<bool> passes;
    passes.reserve(5);
    for (int i = 0; i < 5; ++i) passes.push_back(throttle.lets_pass());
    EXPECT_THAT(passes, ElementsAre(false, true, false, true, true));
}

// With fractions instead of thousandths, and all periods told one after the other.
TEST_F(ThrottleTest, AgreesWithFractionsOverARandomTrace) {
    std::mt19937 random(3);
    const auto below = [&](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
    std::vector<Period> periods;
    periods.reserve(2000);
    for (int i = 0; i < 2000; ++i) {
        const int misses = 1 + below(40);
        periods.push_back({misses, below(40), below(20) == 0 ? 1 : 0, below(200)});
    }
    std::vector<std::uint32_t> expected;
    int degree = 2, closed = 0;
    std::uint64_t rate = 0;  // millionths, rounded down
    for (const Period& period : periods) {
        const double early = period.early == 0 ? 0 : period.used == 0 ? 1e9 : 1.0 * period.early / period.used;
        rate = (rate + static_cast<std::uint64_t>(period.merges) * 1'000'000 /
                           static_cast<std::uint64_t>(period.misses + period.merges)) /
               2;
        const int before = degree;
        if (early > 0.02)
            degree = 5;
        else if (early >= 0.01)
            degree = std::min(5, degree + 1);
        else
            degree = rate > 150'000 ? std::max(0, degree - 1) : 5;
        closed = degree == 5 && before == 5 ? closed + 1 : 0;
        if (closed == 4) {
            degree = 4;
            closed = 0;
        }
        expected.push_back(static_cast<std::uint32_t>(degree));
    }
    EXPECT_EQ(degrees(periods), expected);
}

}  // namespace
}  // namespace models
