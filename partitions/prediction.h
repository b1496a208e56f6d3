// Prediction: how long the windows of a recorded run would take with another plan, on as many cores as workers.
//
// The conservative protocol is played on the log: worker w comes to the end of window k at
//
//     begin(w, k) = max(end(w, k-1), max over the workers v that send to w: end(v, k - d) + sync.window)
//     end(w, k) = begin(w, k) + work(w, k)
//
// with d the lookahead of the link from v to w in whole windows. work is what its processes took there, the share of
// the bookkeeping, sync.message for messages from other workers (by the mean traffic of the channels) and sync.batch if
// there are any. A worker that need not wait for a link reads its clock all the same, which costs sync.link. Windows
// without work cost nothing, but waiting for what lets them pass. Where nothing happens for more than 16 windows, there
// is a reduction.
//
// It does not know of cores that workers share, of memory that they compete for, of slower clocks when all cores are
// busy, or of the better caches that they have together.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/instruments/sync_cost.h"
#include "engine/instruments/work_log.h"
#include "engine/plan.h"

namespace partitions {

// A log in seconds, without what measuring has added; what takes messages of a window is shared out to those who got
// them. It is to be the least of several runs: what is long in all of them is work, and no interruption.
struct Work {
    struct Entry {
        int process;
        float seconds, messages;
    };
    struct Window {
        engine::Time number;
        std::size_t first;  // of its entries, which end where those of the next one begin
    };
    std::vector<Window> windows;
    std::vector<Entry> entries;
    double per_window = 0;  // seconds of bookkeeping of a worker in a window with work

    double total() const;                                         // seconds, on one worker
    std::vector<double> by_process(std::size_t processes) const;  // seconds
    // Shortens (or lengthens) everything alike, so that the total is this.
    void scale_to(double seconds);
};

// Of two logs of the same windows: every time of the first that is longer than in the other one is replaced by the
// other one's, as it was disturbed there. An interruption of a microsecond counts, where windows take a few of them.
void take_least(engine::WorkLog& log, const engine::WorkLog& other);

Work in_seconds(const engine::WorkLog& log);

// Seconds that the work takes with this plan. `window_length` in ticks; the graph has the traffic of its channels
// (engine::weigh()).
double predicted_seconds(const Work& work, const engine::Graph& graph, engine::Time window_length,
                         const engine::Plan& plan, const engine::SyncCost& sync);

// With a worker for every process and no cost of synchronising or bookkeeping: no plan is faster. Everybody waits as
// the protocol has it, for what could come.
double conservative_bound(const Work& work, const engine::Graph& graph, engine::Time window_length);

// The critical path: the longest chain of work that has to be done one after the other, whoever does it. What a process
// does in a window is one piece of work; it has to wait for what the process did in the window before, and for all
// pieces that sent a message which it consumes (`causes`, of a log with the same entries):
//
//     end(p, w) = work(p, w) + max(end(p, the window before), max over those messages: end(sender, window of sending))
//
// and the longest of all ends is the least time in which any number of workers can do the work, window by window, even
// if they knew beforehand who gets messages and who gets none. conservative_bound() is at least as long: there every
// channel counts as if it carried a message in every window, at its lookahead.
struct CriticalPath {
    double seconds = 0;
    std::vector<double> by_process;  // of them
};
CriticalPath critical_path(const Work& work, const std::vector<engine::WorkLog::Cause>& causes, std::size_t processes);

}  // namespace partitions
