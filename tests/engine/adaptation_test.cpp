#include "engine/adaptation.h"

#include <gtest/gtest.h>

namespace engine {
namespace {

// Runs for a second of wall time in which one worker alone and all together do so many events a second. Gives the share
// of the time spent alone.
double share_alone(Adaptation& adaptation, double rate_alone, double rate_together, double& now, double& events,
                   double busy = 0) {
    constexpr double step = 1e-4;
    double alone = 0;
    for (const double end = now + 1; now < end; now += step) {
        alone += adaptation.alone() ? step : 0;
        events += step * (adaptation.alone() ? rate_alone : rate_together);
        if (adaptation.is_due(now)) adaptation.review(now, static_cast<std::uint64_t>(events), busy);
    }
    return alone;
}

TEST(Adaptation, KeepsAllWorkersWhereTheyDoMore) {
    Adaptation adaptation(2e-3);
    double now = 0, events = 0;
    EXPECT_LT(share_alone(adaptation, 1e7, 1.7e7, now, events), 0.1);
    EXPECT_LT(share_alone(adaptation, 1e7, 1.7e7, now, events), 0.02);
}

TEST(Adaptation, LetsOneWorkAloneWhereThatIsMore) {
    Adaptation adaptation(2e-3);
    double now = 0, events = 0;
    EXPECT_GT(share_alone(adaptation, 1e7, 3e6, now, events), 0.9);
    EXPECT_GT(share_alone(adaptation, 1e7, 3e6, now, events), 0.98);
}

TEST(Adaptation, TriesNothingWhileAllTogetherPlainlyDoMoreThanOneCould) {
    Adaptation adaptation(2e-3);
    double now = 0, events = 0;
    EXPECT_EQ(share_alone(adaptation, 1e7, 1.7e7, now, events, 1.8), 0);
    for (int i = 0; i < 3; ++i) share_alone(adaptation, 1e7, 5e6, now, events, 0.9);  // a change is noticed in time
    EXPECT_GT(share_alone(adaptation, 1e7, 5e6, now, events, 0.9), 0.9);
}

TEST(Adaptation, WaitsForAWhileToKnowHowBusyTheWorkersAre) {
    for (const int known_after : {5, 1000}) {
        Adaptation adaptation(2e-3);
        bool tried = false;
        int reviews = 0;
        for (double now = 0; now < 0.1; now += 1e-3) {
            if (!adaptation.is_due(now)) continue;
            adaptation.review(now, static_cast<std::uint64_t>(now * 1e7), ++reviews > known_after ? 1.8 : 0);
            tried = tried || adaptation.alone();
        }
        EXPECT_EQ(tried, known_after == 1000);
    }
}

TEST(Adaptation, NoticesThatTheLoadHasChanged) {
    Adaptation adaptation(2e-3);
    double now = 0, events = 0;
    share_alone(adaptation, 1e7, 3e6, now, events);
    share_alone(adaptation, 1e7, 1.7e7, now, events);
    EXPECT_LT(share_alone(adaptation, 1e7, 1.7e7, now, events), 0.1);
}

TEST(Adaptation, ChangesThatCostMuchAreRare) {
    Adaptation adaptation(2e-3);
    double now = 0;
    int changes = 0;
    for (; now < 10; now += 1e-3) {
        if (!adaptation.is_due(now)) continue;
        const bool before = adaptation.alone();
        adaptation.review(now, static_cast<std::uint64_t>(now * 1e6), 0);
        if (adaptation.alone() == before) continue;
        ++changes;
        now += 0.01;
        adaptation.changed(now, 0.01);
    }
    EXPECT_GT(changes, 1);
    EXPECT_LT(changes, 60);  // 10 ms each, 6 % of the time
}

}  // namespace
}  // namespace engine
