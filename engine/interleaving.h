// Interleaving: decides how a worker advances its processes through a window: one after the other, each through the
// whole window, so that its state stays in the cache; or side by side, a cycle of each at a time, so that the processor
// overlaps what the processes do. Which is faster hangs on the processes: small ones gain from the second, big ones
// lose. So both are tried now and then, in turn, and the one that won most rounds is kept until the next trial. A pure
// decision: it measures nothing itself, and changes no result.
#pragma once

#include <algorithm>

namespace engine {

class Interleaving {
  public:
    // Of the next window.
    bool side_by_side() const { return is_trial() ? trial_window() / block % 2 == 1 : best_; }
    // How long the next window takes is of interest.
    bool is_trial() const { return to_trial_ <= 0; }

    // After a window. `seconds`: that its processes took; ignored unless it was of interest.
    void done(double seconds) {
        const bool trial = is_trial();
        if (trial) (side_by_side() ? side_by_side_ : in_turn_) += seconds;
        --to_trial_;
        if (trial && trial_window() % (2 * block) == 0) end_round();
    }

  private:
    // A round is a block of windows either way, and who first wins so many rounds wins the trial.
    static constexpr int block = 8, enough = 5;
    static constexpr int warm_up = 64, shortest_term = 4096, longest_term = 1 << 17;  // windows

    int trial_window() const { return -to_trial_; }
    void end_round() {
        ++(side_by_side_ < in_turn_ ? won_ : lost_);
        side_by_side_ = in_turn_ = 0;
        if (std::max(won_, lost_) == enough) end_trial();
    }
    void end_trial() {
        const bool better = won_ > lost_;
        term_ = better == best_ ? std::min(2 * term_, longest_term) : shortest_term;
        best_ = better;
        won_ = lost_ = 0;
        to_trial_ = term_;
    }

    int to_trial_ = warm_up;  // windows until the next trial; in a trial, minus those it has had
    int term_ = shortest_term;
    int won_ = 0, lost_ = 0;  // rounds, by side by side
    double side_by_side_ = 0, in_turn_ = 0;
    bool best_ = false;
};

}  // namespace engine
