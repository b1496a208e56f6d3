// Dealing: gives processes to other workers of a run when some are busier than others: because what processes cost has
// changed, or was not known when the plan was made, or because a core is slower than another one, as somebody else uses
// its other hardware thread. Pure decisions: what is measured comes from the crew (engine/crew.h).
#pragma once

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

#include "engine/plan.h"

namespace engine {

// What a look at the loads of the workers has brought.
enum class Verdict {
    unknown,  // it is not known yet what the processes of the busiest one cost
    even,     // all are about equally busy
    uneven,   // one is busier, but no better deal was found
    dealt     // one was
};

// When to look how busy the workers are.
class DealingTimer {
  public:
    // Wall seconds between two looks, at least.
    explicit DealingTimer(double shortest) : shortest_(shortest), term_(shortest), due_(shortest) {}

    bool is_due(double now) const { return now >= due_; }
    // What a look has brought, which took `cost` seconds.
    void looked(double now, Verdict verdict, double cost) {
        row_ = verdict == Verdict::dealt ? row_ + 1 : 0;
        if (verdict == Verdict::dealt)  // what is dealt again and again is not worth it
            term_ = shortest_ * (1 << std::min(row_ - 1, 7));
        else if (verdict != Verdict::unknown)  // there is less and less to look for
            term_ = std::min(2 * term_, shortest_ * (verdict == Verdict::even ? longest_even : longest));
        due_ = now + std::max(term_, 100 * cost);
    }

  private:
    static constexpr double longest_even = 8, longest = 100;  // terms
    double shortest_, term_, due_;
    int row_ = 0;  // how often processes were dealt one time after the other
};

// How busy the workers are: the shares of their time in which they do not wait for each other.
struct Loads {
    std::vector<double> workers;    // by number; 0 where there is none
    std::vector<double> processes;  // by number: its part of the load of its worker, 0 if it is not known

    void add_worker(int number, double load) { add(workers, number, load); }
    void add_process(int number, double load) { add(processes, number, load); }

  private:
    static void add(std::vector<double>& loads, int number, double load) {
        const auto i = static_cast<std::size_t>(number);
        loads.resize(std::max(loads.size(), i + 1));
        loads[i] = load;
    }
};

// What binds processes to where they are.
struct Bonds {
    const Graph& graph;
    // Pairs of workers, from and to, between which messages may go.
    const std::set<std::pair<int, int>>& links;
    int threads;                          // of each rank
    const std::vector<bool>& may_travel;  // by process: to another rank
};

// Unknown, even or uneven. `owner`: the worker that runs each process.
Verdict judge(const Loads& loads, const std::vector<int>& owner);

// Changes the owners so that the busiest worker has less to do; false, and nothing, if that is not worth it. Processes
// go where most of their channels lead. No channel leads from one worker to another one without a link, or has a lower
// lookahead than those that did before, and every worker keeps a process.
bool deal_anew(const Bonds& bonds, Loads loads, std::vector<int>& owner);

}  // namespace engine
