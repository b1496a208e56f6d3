// Worker: runs its processes on one thread, window after window, as far as the other workers let it.
//
// A worker may run a window when no message can arrive in it any more: when every worker that sends to it has promised
// to have come so far that what it sends later arrives after the window. It promises the same in turn: that nothing
// happens here before its next event, or before something could arrive. It need not have run a whole window for that:
// the urgent ones of its processes, those with the short ways to other workers, go first, and when they are through it
// promises the end of the window. If all workers wait for events that are far away, promises would creep there by a
// lookahead at a time; then somebody wants a meeting.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <oneapi/tbb/cache_aligned_allocator.h>

#include "engine/calendar.h"
#include "engine/causes.h"
#include "engine/chaos.h"
#include "engine/crew.h"
#include "engine/error.h"
#include "engine/logical_process.h"
#include "engine/meeting.h"
#include "engine/message_log.h"
#include "engine/meter.h"
#include "engine/transport/courier.h"
#include "engine/transport/link.h"
#include "engine/transport/outgoing.h"

namespace engine {

// What a process has to say at the end of a run that did not end well.
struct Complaint {
    Time window;
    int process;    // its number
    ExitCode code;  // of what it threw; `done` if it threw nothing but is unfinished
    std::string text;
};

class alignas(128) Worker {
  public:
    // `number`: in the plan. `all`: the processes of the machine, by number. `chaos`: a seed, or 0.
    Worker(int number, std::span<const std::unique_ptr<LogicalProcess>> all, const Windows& windows,
           const Meeting& meeting, bool spin, std::uint64_t chaos);

    // Before the run.
    void own(LogicalProcess& process);
    // One of its processes that sends over a link.
    struct Sender {
        const LogicalProcess* process;
        bool urgent;  // Windows::is_urgent()
    };
    // After reassign() a link may be made anew, with other senders.
    transport::Outgoing& send_to(transport::LinkMemory& memory, std::vector<Sender> senders);
    void receive_from(transport::LinkMemory& memory, int sender, Time lookahead);

    // Keeps the messages of the run that the recorder wants.
    void log_to(MessageRecorder& recorder) { recorder_ = &recorder; }
    // Notes the causes of what is measured.
    void find_causes(Causes& causes) { causes_ = &causes; }
    // By the first worker of a rank.
    void employ(transport::Courier& courier) { courier_ = &courier; }
    void heed(const std::atomic<int>& stop) { stop_ = &stop; }
    // By all workers, with the same window.
    void stop_before(Time window) {
        last_planned_ = window - 1;
        meeting_.stop_after(last_planned_);
    }

    // One of a crew: it may have to work alone, or to stand aside.
    void join(Crew& crew) { crew_ = &crew; }
    // By the leader of the crew, for another one who stands aside: its processes with their wake-ups.
    void take_over(Worker& other);
    void give_back(Worker& other);
    // By the leader of the crew, when it has everything: a process comes from another rank, or goes there.
    void take_in(LogicalProcess& process);
    void let_go(LogicalProcess& process);
    // Then: the processes that it owns from now on, in the order of their numbers. Its links
    // are then made anew.
    void reassign(std::vector<LogicalProcess*> processes);
    Calendar& calendar() { return calendar_; }
    // In which something happens next.
    Time next_window() const {
        return std::min(calendar_.next_window(), next_wake_ == never ? never : windows_.of(next_wake_));
    }
    std::uint64_t events() const;  // of its processes, whoever has run them: messages and steps

    // Runs windows until all workers have no more to do, or one of them cannot go on. `each_window` is called with the
    // start of every window. Does not throw.
    template <class EachWindow>
    void run(EachWindow each_window) {
        while (meet()) {
            if (stands_aside_) stand_aside();
            for (Time window = wait_for_window(); window != never; window = wait_for_window()) {
                each_window(windows_.start(window));
                run_window(window);
                if (leads() && crew_->is_due()) meeting_.want();
            }
            if (leads() && crew_->alone()) crew_->disperse();
        }
    }

    int number() const { return number_; }
    const std::vector<LogicalProcess*>& processes() const { return processes_; }
    const std::vector<Complaint>& complaints() const { return complaints_; }
    // After the run: somebody failed; the run was stopped after this window (`never`: it was not), by this signal (0:
    // by none).
    bool failed() const { return failed_; }
    Time stopped_after() const { return stopped_after_; }
    int stopped_by() const { return stopped_by_; }
    double waited() const { return waited_; }                                // wall seconds; after the run
    double waited_before_meeting() const { return waited_before_meeting_; }  // until it arrived
    std::uint64_t promises() const;                                          // to other workers; after the run
    std::uint64_t calendar_mark() const { return calendar_.pool().size(); }
    std::uint64_t backlog_mark() const;  // the most messages that waited for one other worker
    Meter& meter() { return meter_; }
    const Meter& meter() const { return meter_; }

    // For the watchdog, from any thread.
    struct Situation {
        int process;        // the number of the one that is advanced or was advanced last; -1: none yet
        bool waits;         // for others; what it did before is then visible
        bool stands_aside;  // another one does its work
        int waits_for;      // the worker whose promise it needs; -1: all
        Time promise;       // what that one has promised
        Time lookahead;     // of the link from it
    };
    Situation situation() const;
    std::uint64_t windows() const { return windows_run_.load(std::memory_order_relaxed); }
    std::uint64_t meetings() const { return meeting_.held(); }  // after the run

  private:
    // Away from what other workers write.
    template <class T>
    using Table = std::vector<T, tbb::cache_aligned_allocator<T>>;
    using Bits = Table<std::uint64_t>;

    struct Place {
        LogicalProcess* process;
        Time wake;            // its next step or alarm
        std::uint32_t first;  // of the list of its messages in this window, in the calendar
    };

    bool meet();
    bool goes_on(const Meeting::Outcome& outcome);
    bool must_stop() const { return stop_ != nullptr && stop_->load(std::memory_order_relaxed) != 0; }
    bool leads() const { return crew_ != nullptr && crew_->led_by(*this); }
    void stand_aside();
    void move_wake(Worker& from, LogicalProcess& process);
    Time wait_for_window();
    void run_window(Time window);
    void gather(Time until);
    void log(Time until);
    enum class Part { urgent, rest };  // of the processes with something to do in a window
    void collect_due(Time until);
    template <class F>
    void for_each_due(Part part, Time until, F f);
    std::uint64_t members(Part part, std::size_t word) const;
    void make_ready(Place& place, Time until);
    void sample(LogicalProcess& process, Time until) const;
    void advance(LogicalProcess& process, Time until);
    void note_wake(Place& place);
    template <class F>
    void in_parts(Time until, F advance_part);
    void advance_in_turn(Part part, Time until);
    void advance_measured(Time until);
    void advance_active(Time until);
    void advance_before(int thrower, Time until);
    void complain(Time window, ExitCode code, const std::string& text);
    void look();
    void hand_over();
    void tell();
    void tell_early(Time until);

    int number_;
    bool spin_;
    bool has_others_ = false;  // not all of its processes are urgent, though it sends to other workers
    Windows windows_;
    Meeting meeting_;
    Chaos chaos_;
    Calendar calendar_;
    std::vector<LogicalProcess*> processes_;  // by number
    std::vector<std::unique_ptr<transport::Outgoing>> outgoing_;
    std::vector<std::vector<Sender>> senders_;  // by outgoing link
    std::vector<transport::Incoming> incoming_;

    Time floor_ = 0;     // agreed in the last meeting: nobody acts before it
    Time safe_ = 0;      // nothing more arrives before it
    int tightest_ = -1;  // the sender that bounds it
    unsigned told_since_window_ = 0, patience_with_telling_;
    bool starved_ = false;  // so it wanted the next meeting
    bool has_run_ = false;  // a window since the last meeting
    bool failed_ = false;

    transport::Courier* courier_ = nullptr;
    const std::atomic<int>* stop_ = nullptr;
    bool stop_told_ = false, asked_for_end_ = false;
    std::atomic<bool> waits_ = false;
    int stopped_by_ = 0;
    Time reached_ = -1;                                  // the last window it has run
    Time stopped_after_ = never, last_planned_ = never;  // windows

    Crew* crew_ = nullptr;
    bool stands_aside_ = false;
    std::uint32_t recalls_ = 0;

    Table<Place> places_;              // by number of the process
    Bits mine_;                        // by number: is advanced by this worker
    Bits awake_, active_;              // has a wake-up; has messages in this window
    Bits due_;                         // has something to do in this window, or a wake-up later on
    Bits urgent_;                      // other workers wait for what it sends
    Time next_wake_ = never;           // of all, or earlier
    Table<Arrival> arrivals_;          // room for the messages of this window, those of a process side by side
    Arrival* arrivals_end_ = nullptr;  // of those that are there

    MessageRecorder* recorder_ = nullptr;  // null: no messages are logged
    Causes* causes_ = nullptr;             // null: nobody asks for them
    std::vector<Complaint> complaints_;    // at most one: the worker stops at it
    double waited_ = 0, waited_before_meeting_ = 0;
    Meter meter_;
    std::atomic<int> current_ = -1, waits_for_ = -1;
    std::atomic<std::uint64_t> windows_run_ = 0;
};

}  // namespace engine
