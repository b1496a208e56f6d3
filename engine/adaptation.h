// Adaptation: decides whether all workers of a run work, or one does everything because their windows hold too little
// work for the cost of synchronising. Where all together plainly do more than one could, they go on. Else it tries both
// for a moment, keeps what does more events a second, and tries the other one again now and then, ever more rarely as
// long as it is no better. A pure decision: it measures nothing itself.
#pragma once

#include <algorithm>
#include <cstdint>

namespace engine {

class Adaptation {
  public:
    // Wall seconds of a trial.
    explicit Adaptation(double trial) : trial_(trial), due_(trial) {}

    bool alone() const { return alone_; }  // one worker does everything
    bool is_due(double now) const { return now >= due_; }

    // When it is due: `events` have been done by now, in total; wall seconds from any origin. `busy`: how many workers
    // did not wait since the last time, on average, while all worked; 0: not known.
    void review(double now, std::uint64_t events, double busy) {
        if (!warm_) {  // what the beginning of a run costs counts for neither way
            warm_ = true;
            since_ = now;
            events_ = events;
            due_ = now + trial_;
            return;
        }
        if (busy == 0 && unknown_ < most_unknown) {  // soon it is
            ++unknown_;
            due_ = now + trial_;
            return;
        }
        if (!alone_ && !trying_ && busy > plenty) {
            term_ = std::clamp(2 * term_, shortest_term * trial_, longest_term * trial_);
            since_ = now;
            events_ = events;
            due_ = now + term_;
            return;
        }
        const double rate = static_cast<double>(events - events_) / std::max(now - since_, 1e-9);
        (alone_ ? rate_alone_ : rate_together_) = rate;
        if (trying_) {
            const bool better = rate_alone_ >= rate_together_;
            const double term = better == best_alone_ ? std::min(2 * term_, longest_term * trial_) : 0;
            term_ = std::max({term, shortest_term * trial_, 100 * cost_});
            best_alone_ = alone_ = better;
        } else {
            alone_ = !alone_;
        }
        trying_ = !trying_;
        since_ = now;
        events_ = events;
        due_ = now + (trying_ ? trial_ : term_);
    }
    // A change was made that took `cost` seconds. That is not part of the trial, and changes are the rarer the more
    // they cost.
    void changed(double now, double cost) {
        since_ = now;
        cost_ = cost;
        due_ = now + (trying_ ? std::max(trial_, 3 * cost) : std::max(term_, 100 * cost));
    }

  private:
    // More than one, as messages between cores cost more than those on one.
    static constexpr double plenty = 1.6;
    static constexpr double shortest_term = 10, longest_term = 500;  // trials
    static constexpr int most_unknown = 8;
    double trial_, term_ = 0, due_;
    double since_ = 0;          // when the last review was
    double cost_ = 0;           // of a change
    std::uint64_t events_ = 0;  // done until then
    double rate_alone_ = 0, rate_together_ = 0;
    bool warm_ = false;
    int unknown_ = 0;  // how often it was not known how busy the workers are
    bool alone_ = false, best_alone_ = false;
    bool trying_ = false;  // the other one than the best so far
};

}  // namespace engine
