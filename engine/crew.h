// Crew: the workers of a run with one rank. Either all work, or the first one does everything while the others stand
// aside, whichever does more (engine/adaptation.h). They change between meetings, where nothing is under way.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "engine/adaptation.h"
#include "engine/patience.h"
#include "engine/stamp.h"
#include "engine/units.h"

namespace engine {

class Worker;

class Crew {
  public:
    // The first of the workers leads. `route` connects the ports for the leader alone, or for all. `trial`: wall
    // seconds.
    Crew(std::vector<Worker*> workers, std::function<void(bool alone)> route, double trial);

    bool led_by(const Worker& worker) const { return workers_[0] == &worker; }

    // By the leader. Whether it is time to see which way is the better one; looks at the clock now and then.
    bool is_due() { return ++calls_ % 64 == 0 && adaptation_.is_due(seconds_since(start_)); }
    // In a meeting, when all have arrived: whether the leader goes on alone.
    bool review();
    bool alone() const { return alone_; }
    std::uint64_t changes() const { return changes_; }  // to one alone; after the run
    // After the meeting, while the others stand aside. `window`: of the calendars.
    void gather(Time window);
    void disperse();

    // By the others: until the leader has dispersed the work again. Each counts how often it was recalled.
    void stand_aside(std::uint32_t& recalls) const;

  private:
    struct Measured {
        Stamp busy = 0, all = 0;
    };
    double busy();

    std::vector<Worker*> workers_;
    std::vector<Measured> measured_;  // by worker: what its meter said at the last review
    std::function<void(bool)> route_;
    Adaptation adaptation_;
    Clock::time_point start_ = Clock::now();
    unsigned calls_ = 0;
    bool started_ = false;
    bool alone_ = false;
    std::uint64_t changes_ = 0;
    std::atomic<std::uint32_t> recalls_ = 0;
};

}  // namespace engine
