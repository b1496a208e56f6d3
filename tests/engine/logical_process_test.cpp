#include "engine/logical_process.h"

#include <atomic>
#include <thread>

#include <gtest/gtest.h>

#include "engine/simulation.h"

namespace engine {
namespace {

class Block : public EventDriven<Block> {
  public:
    using EventDriven::EventDriven;
    Counter hits{&counters(), "hits", "1", "accesses that hit"};
};

TEST(LogicalProcess, IsNamedAfterItsKindAndItsIndex) {
    EXPECT_EQ(Block("l2_slice", 3).name(), "l2_slice[3]");
    EXPECT_EQ(Block("raster", -1).name(), "raster");
    EXPECT_EQ(Block("raster", -1).kind(), "raster");
    EXPECT_EQ(Block("l2_slice", 3).index(), 3);
}

TEST(LogicalProcess, ListsItsCounters) {
    Block block("l2_slice", 0);
    ++block.hits;
    ASSERT_EQ(block.counters().all().size(), 1U);
    EXPECT_EQ(block.counters().all()[0].name, "hits");
    EXPECT_EQ(*block.counters().all()[0].value, 1U);
}

TEST(LogicalProcess, IsIdleInOrderAndOfUnitCostUnlessItSaysOtherwise) {
    const Block block("l2_slice", 0);
    EXPECT_EQ(block.unfinished(), "");
    EXPECT_EQ(block.cost_hint(), 1);
}

struct Word {
    std::int64_t value;
};

// Computes for a long time in its second cycle, having promised in the first to say nothing before time 1000.
class Thinker : public Clocked<Thinker> {
  public:
    Thinker(std::atomic<Time>& other, Time speaks) : Clocked("thinker", -1, 1), other_(other), speaks_(speaks) {
        wake_at(0);
    }
    Time step() {
        if (now() == 0) {
            stay_silent_until(1000);
            return 10;
        }
        if (now() == 10 && speaks_ != 10)
            while (other_.load() < 500) std::this_thread::yield();  // for ever, unless the other one need not wait
        if (now() < speaks_) return speaks_;
        to.send({now()}, 0);
        return never;
    }
    void on_word(const Word& /*word*/) {}
    In<Word> from{this, "from", handler<&Thinker::on_word>};
    Out<Word> to{this, "to"};

  private:
    std::atomic<Time>& other_;
    Time speaks_;
};

class Walker : public Clocked<Walker> {
  public:
    explicit Walker(std::atomic<Time>& reached) : Clocked("walker", -1, 1), reached_(reached) { wake_at(0); }
    Time step() {
        reached_ = now();
        return now() < 2000 ? now() + 1 : never;
    }
    void on_word(const Word& word) { heard = word.value; }
    In<Word> from{this, "from", handler<&Walker::on_word>};
    Out<Word> to{this, "to"};
    Time heard = -1;

  private:
    std::atomic<Time>& reached_;
};

struct Walk {
    explicit Walk(Time speaks) : thinker(simulation.add<Thinker>(reached, speaks)) {
        simulation.connect(thinker.to, walker.from, 2);
        simulation.connect(walker.to, thinker.from, 2);
    }
    std::atomic<Time> reached = 0;
    Simulation simulation;
    Thinker& thinker;
    Walker& walker = simulation.add<Walker>(reached);
};

TEST(LogicalProcess, APromiseOfSilenceLetsOtherWorkersGoOnMeanwhile) {
    Walk walk(1000);
    walk.simulation.run({1, 2, {0, 1}}, {.stall_seconds = 20, .progress = {}, .trial_seconds = -1});
    EXPECT_EQ(walk.walker.heard, 1000);
    EXPECT_EQ(walk.simulation.now(), 2000);
}

TEST(LogicalProcess, BreakingAPromiseOfSilenceIsAnError) {
    Walk walk(10);
    try {
        walk.simulation.run({});
        FAIL();
    } catch (const InternalError& error) {
        EXPECT_STREQ(error.what(), "thinker: thinker.to: sent a message at 10, promised none before 1000 (at time 10)");
    }
}

}  // namespace
}  // namespace engine
