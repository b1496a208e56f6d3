// Cores that wait for each other's texture caches never wait in a circle: the rules of mshr_shares.h under the worst
// settings. Cores are no more than their MSHRs and a queue of requests of others; nothing ever hits; who is taken for
// the owner of a block is drawn anew for every miss, so that cores contradict each other all the time; what happens
// next is drawn as well.
#include <algorithm>
#include <deque>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "engine/counter_rng.h"
#include "models/memory/home/mshr_shares.h"

namespace models {
namespace {

struct Worst {
    std::uint32_t cores = 2, mshrs = 2, reserved = 1;
    std::uint32_t blocks = 1;     // that they ask for
    std::uint32_t credits = 1;    // that a core has for requests to another one
    std::uint32_t to_others = 8;  // of so many misses in 8
    bool joins_any = false;       // breaks rule 3
    bool passes_on = false;       // breaks rule 2: who is asked asks a third one
};

class Waits {
  public:
    Waits(const Worst& worst, std::uint64_t seed, std::uint32_t misses)
        : worst_(worst),
          random_(seed, 0),
          cores_(worst.cores, Core{MshrShares(worst.mshrs, worst.reserved), {}, {}, {}, misses}) {
        for (Core& core : cores_) core.credits.assign(worst.cores, worst.credits);
    }

    // Until nothing can happen any longer. True if everybody has got everything.
    bool run() {
        for (;;) {
            // Every core, in random order of beginning, each of its three activities.
            const std::uint32_t first = random_.below(worst_.cores), activity = random_.below(3);
            bool moved = false;
            for (std::uint32_t i = 0; i < 3 * worst_.cores && !moved; ++i) {
                const std::uint32_t core = (first + i) % worst_.cores;
                switch ((activity + i / worst_.cores) % 3) {
                    case 0:
                        moved = miss(core);
                        break;
                    case 1:
                        moved = serve(core);
                        break;
                    default:
                        moved = memory_answers(core);
                        break;
                }
            }
            if (!moved) break;
        }
        return std::all_of(cores_.begin(), cores_.end(), [](const Core& core) {
            return core.misses == 0 && core.entries.empty() && core.queue.empty();
        });
    }

  private:
    using Use = MshrShares::Use;
    using AnsweredBy = MshrShares::AnsweredBy;
    struct Request {
        std::uint32_t from, block;
    };
    struct Entry {
        std::uint32_t block;
        Use use;
        AnsweredBy answer;
        std::vector<std::uint32_t> waiting;  // other cores
    };
    struct Core {
        MshrShares shares;
        std::vector<Entry> entries;
        std::deque<Request> queue;
        std::vector<std::uint32_t> credits;  // by core
        std::uint32_t misses;                // still to come
    };

    std::uint32_t other_than(std::uint32_t core) { return (core + 1 + random_.below(worst_.cores - 1)) % worst_.cores; }
    bool miss(std::uint32_t number) {
        Core& core = cores_[number];
        if (core.misses == 0) return false;
        const std::uint32_t block = random_.below(worst_.blocks);
        const bool is_there = std::any_of(core.entries.begin(), core.entries.end(),
                                          [&](const Entry& entry) { return entry.block == block; });
        if (!is_there && !ask(number, block, Use::own, {})) return false;
        --core.misses;
        return true;
    }
    // Takes an MSHR and asks the L2 cache or another core.
    bool ask(std::uint32_t number, std::uint32_t block, Use use, const std::vector<std::uint32_t>& waiting) {
        Core& core = cores_[number];
        if (!core.shares.has_room(use)) return false;
        const bool may_ask = worst_.cores > 1 && (use == Use::own || worst_.passes_on);
        if (may_ask && random_.below(8) < worst_.to_others) {
            const std::uint32_t owner = other_than(number);
            if (core.credits[owner] == 0) return false;
            --core.credits[owner];
            cores_[owner].queue.push_back({number, block});
            core.entries.push_back({block, use, AnsweredBy::core, waiting});
        } else {
            core.entries.push_back({block, use, AnsweredBy::memory, waiting});
        }
        core.shares.take(use);
        return true;
    }
    // The oldest request of another core.
    bool serve(std::uint32_t number) {
        Core& core = cores_[number];
        if (core.queue.empty()) return false;
        const Request request = core.queue.front();
        const auto joined = std::find_if(core.entries.begin(), core.entries.end(), [&](const Entry& entry) {
            return entry.block == request.block && (worst_.joins_any || MshrShares::may_join(Use::other, entry.answer));
        });
        if (joined != core.entries.end())
            joined->waiting.push_back(request.from);
        else if (!ask(number, request.block, Use::other, {request.from}))
            return false;
        core.queue.pop_front();
        ++cores_[request.from].credits[number];
        return true;
    }
    bool memory_answers(std::uint32_t number) {
        Core& core = cores_[number];
        const auto entry = std::find_if(core.entries.begin(), core.entries.end(),
                                        [](const Entry& each) { return each.answer == AnsweredBy::memory; });
        if (entry == core.entries.end()) return false;
        fill(number, static_cast<std::size_t>(entry - core.entries.begin()));
        return true;
    }
    void fill(std::uint32_t number, std::size_t place) {
        Core& core = cores_[number];
        const Entry entry = core.entries[place];
        core.entries.erase(core.entries.begin() + static_cast<std::ptrdiff_t>(place));
        core.shares.give_back(entry.use);
        for (const std::uint32_t waiting : entry.waiting) answer(waiting, entry.block);
    }
    // Comes from another core: it belongs to the oldest MSHR that waits for one.
    void answer(std::uint32_t number, std::uint32_t block) {
        const std::vector<Entry>& entries = cores_[number].entries;
        const auto entry = std::find_if(entries.begin(), entries.end(), [&](const Entry& each) {
            return each.block == block && each.answer == AnsweredBy::core;
        });
        ASSERT_NE(entry, entries.end());
        fill(number, static_cast<std::size_t>(entry - entries.begin()));
    }

    Worst worst_;
    engine::CounterRng random_;
    std::vector<Core> cores_;
};

int stuck_runs(const Worst& worst, int runs) {
    int stuck = 0;
    for (int run = 0; run < runs; ++run) stuck += Waits(worst, static_cast<std::uint64_t>(run), 50).run() ? 0 : 1;
    return stuck;
}

TEST(Waits, EndWithOneMshrForEachUseAndOneCredit) {
    for (const std::uint32_t cores : {2U, 3U, 32U})
        for (const std::uint32_t blocks : {1U, 2U, 100U}) {
            Worst worst;
            worst.cores = cores;
            worst.blocks = blocks;
            EXPECT_EQ(stuck_runs(worst, 200), 0) << cores << " cores, " << blocks << " blocks";
        }
}

RC_GTEST_PROP(Waits, EndWhateverTheSizes, ()) {
    Worst worst;
    worst.cores = *rc::gen::inRange(1U, 9U);
    worst.mshrs = *rc::gen::inRange(2U, 6U);
    worst.reserved = *rc::gen::inRange(1U, worst.mshrs);
    worst.blocks = *rc::gen::inRange(1U, 10U);
    worst.credits = *rc::gen::inRange(1U, 4U);
    worst.to_others = *rc::gen::inRange(0U, 9U);
    RC_ASSERT(stuck_runs(worst, 5) == 0);
}

// That each rule is needed, and that the test would see it: without it cores are stuck.
TEST(Waits, DoNotEndWithoutReservedMshrs) {
    Worst worst;
    worst.mshrs = 1;
    worst.reserved = 0;
    worst.blocks = 100;
    EXPECT_GT(stuck_runs(worst, 20), 0);
}

TEST(Waits, DoNotEndIfOthersJoinWhatWaitsForACore) {
    Worst worst;
    worst.mshrs = 8;
    worst.reserved = 4;
    worst.joins_any = true;
    EXPECT_GT(stuck_runs(worst, 20), 0);
}

TEST(Waits, DoNotEndIfRequestsArePassedOn) {
    Worst worst;
    worst.cores = 3;
    worst.mshrs = 4;
    worst.reserved = 2;
    worst.blocks = 100;
    worst.passes_on = true;
    EXPECT_GT(stuck_runs(worst, 20), 0);
}

}  // namespace
}  // namespace models
