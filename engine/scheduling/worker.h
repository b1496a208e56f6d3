// Worker: advances the processes of one thread, window after window, as far as other workers let it.
//
// A worker runs window k when no message can arrive in it any more:
//
//     safe = min over the links to it of (clock of the sender + lookahead of the link) >= end(k)
//
// After a window it hands over what was sent and sets its own clock, which is a CMB null message: nothing happens here
// before min(start of its next window with work, safe). Where all workers wait for events far away, clocks would creep
// there by a lookahead at a time; then one asks for a reduction (engine/transport/reduction.h).
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/scheduling/scheduler.h"
#include "engine/scheduling/stop_condition.h"
#include "engine/threads/jitter.h"
#include "engine/transport/inter_node.h"
#include "engine/transport/link.h"
#include "engine/transport/outgoing.h"
#include "engine/transport/reduction.h"

namespace engine {

class alignas(128) Worker {
  public:
    // `number`: in the plan. `all`: the processes of the machine, by number. `spin`: every worker has a core.
    Worker(int number, std::span<const std::unique_ptr<LogicalProcess>> all, const Windows& windows,
           const Reduction& reduction, bool spin, std::uint64_t fuzz_seed);

    // Before the run.
    Scheduler& scheduler() { return scheduler_; }
    const Scheduler& scheduler() const { return scheduler_; }
    transport::Outgoing& send_to(transport::LinkMemory& memory);
    void receive_from(transport::LinkMemory& memory, int sender, Time lookahead);
    // By the first worker of a rank.
    void set_transport(transport::InterNodeTransport& transport) { transport_ = &transport; }
    void stop_when(StopCondition& condition) { stop_ = &condition; }
    // By all workers, with the same window.
    void stop_before(Time window) { reduction_.stop_after(window - 1); }

    // Runs windows until all workers have no more to do, or one of them cannot go on. `each_window` is called with the
    // start of every window. Does not throw.
    template <class EachWindow>
    void run(EachWindow each_window) {
        while (reduce())
            for (Time window = wait_for_window(); window != never; window = wait_for_window()) {
                each_window(windows_.start(window));
                run_window(window);
            }
    }

    int number() const { return number_; }
    // After the run. Its own failure; how it ended for all: one failed, or it was stopped.
    const std::optional<Failure>& failure() const { return failure_; }
    struct Ending {
        bool failed = false;
        Time stopped_after = never;  // a window; `never`: not stopped
        int stopped_by = 0;          // Contribution::stop
    };
    const Ending& ending() const { return ending_; }
    double waited() const { return waited_; }  // wall seconds
    std::uint64_t null_messages() const;       // to other workers
    std::uint64_t reductions() const { return reduction_.held(); }
    std::uint64_t backlog_mark() const;  // the most messages that waited for one other worker

    // For the watchdog, from any thread.
    struct Situation {
        int process;     // the number of the one that is advanced or was advanced last; -1: none yet
        bool waits;      // for others; what it did before is then visible
        int waits_for;   // the worker whose clock holds it up; -1: all
        Time clock;      // of that one
        Time lookahead;  // of the link from it
    };
    Situation situation() const;
    std::uint64_t windows() const { return windows_run_.load(std::memory_order_relaxed); }

  private:
    int asked_to_stop() { return stop_ == nullptr ? 0 : stop_->asked(); }
    bool reduce();
    bool goes_on(const Reduction::Result& result);
    Time wait_for_window();
    void run_window(Time window);
    void drain();
    void hand_over();
    void send_null_messages();

    const int number_;
    const bool spin_;
    const Windows windows_;
    Scheduler scheduler_;
    Reduction reduction_;
    Jitter jitter_;
    std::vector<std::unique_ptr<transport::Outgoing>> outgoing_;  // ports point at them
    std::vector<transport::Incoming> incoming_;
    transport::InterNodeTransport* transport_ = nullptr;
    StopCondition* stop_ = nullptr;

    Time lbts_ = 0;                                    // of the last reduction: nothing happens before it
    Time safe_ = 0;                                    // nothing more arrives before it
    int blocking_ = -1;                                // the worker whose link bounds it
    unsigned null_messages_ = 0, null_message_limit_;  // since a window was run; until it asks for a reduction
    bool starved_ = false;                             // so it asked for the next reduction
    bool has_run_ = false;                             // a window since the last reduction
    bool passed_on_stop_ = false, asked_for_end_ = false;
    Time last_run_ = -1;  // window

    std::optional<Failure> failure_;
    Ending ending_;
    double waited_ = 0;
    std::atomic<bool> waits_ = false;
    std::atomic<int> waits_for_ = -1;
    std::atomic<std::uint64_t> windows_run_ = 0;
};

}  // namespace engine
