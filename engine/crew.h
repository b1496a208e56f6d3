// Crew: the workers of a rank. They divide the work among them as it turns out to be best. If there is no other rank,
// either all work, or the first one does everything while the others stand aside, whichever does more
// (engine/adaptation.h). And where some workers, of all ranks, are busier than others, processes are given to others
// (engine/dealing.h). All this happens in meetings, where nothing is under way.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "engine/adaptation.h"
#include "engine/dealing.h"
#include "engine/draws.h"
#include "engine/meeting.h"
#include "engine/patience.h"
#include "engine/stamp.h"
#include "engine/units.h"

namespace engine {

class Worker;

// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): what all look at lies away from what one writes
class Crew {
  public:
    // What the run does for its crew, which alone knows who runs what.
    struct Office {
        // Connects the ports for the leader alone, or for all; none if there are other ranks.
        std::function<void(bool alone)> route;
        // Looks for a better deal, from the loads of all ranks, each of which brings its own.
        std::function<Verdict(const Loads& loads)> plan;
        // Gives the workers of this rank the processes and links of the plan. The leader has everything; `window`: of
        // its calendar.
        std::function<void(Time window)> deal;
    };
    // The first of the workers leads. `decides`: is the one of all ranks that says when to change something. `trial`:
    // wall seconds. `chaos`: a seed, or 0; if there is one, loads are drawn.
    Crew(std::vector<Worker*> workers, Office office, bool decides, double trial, std::uint64_t chaos);

    bool led_by(const Worker& worker) const { return workers_[0] == &worker; }

    // By the leader. Whether it is time to see what is best; looks at the clock now and then.
    bool is_due() { return decides_ && ++calls_ % 64 == 0 && is_due(seconds_since(start_)); }
    // In a meeting, when all have arrived: what is to change.
    Change review();
    bool alone() const { return alone_; }
    std::uint64_t changes() const { return changes_; }  // to one alone; after the run
    std::uint64_t deals() const { return deals_; }      // after the run
    // After the meeting, while the others stand aside. `window`: of the calendars. deal() by the leaders of all ranks.
    void gather(Time window);
    void disperse();
    void deal(Time window);

    // By the others: until the leader recalls them. Each counts how often it was recalled.
    void stand_aside(std::uint32_t& recalls) const;

  private:
    // What a worker has done so far.
    struct Record {
        std::uint64_t windows = 0, measured = 0;
        double waited = 0;                   // seconds, in long waits
        Stamp idle = 0, busy = 0, work = 0;  // in the windows that were measured
        std::vector<Stamp> work_of;          // by number of the process
    };
    // At all workers of this rank.
    struct Look {
        double seconds;
        Stamp stamp;
        std::vector<Record> records;
    };
    static Record record_of(const Worker& worker);
    static double busy_share(const Record& before, const Record& now, double seconds, double stamps);
    bool is_due(double now) const {
        return (office_.route && adaptation_.is_due(now)) || (!alone_ && dealing_.is_due(now));
    }
    double busy();
    Look look() const;
    Loads loads(const Look& now);
    Loads drawn_loads();
    void collect(Time window);
    void hand_out(Time window);
    void recall();

    // What all look at in every window, away from what the leader writes in every one.
    std::vector<Worker*> workers_;
    bool alone_ = false;
    std::atomic<std::uint32_t> recalls_ = 0;

    alignas(128) unsigned calls_ = 0;
    bool decides_;
    bool started_ = false;
    Clock::time_point start_ = Clock::now();
    Office office_;
    Adaptation adaptation_;
    std::vector<Record> at_review_;  // by worker: at the last review of the adaptation
    DealingTimer dealing_;
    Look last_look_;  // whether to deal; without records: since then not all have worked
    std::optional<Draws> chaos_;
    std::uint64_t changes_ = 0, deals_ = 0;
};

}  // namespace engine
