// Scheduler: the processes of one worker, the messages that wait for them, and how they are advanced through a window.
//
// LP-major: each process with something to do in the window is advanced through the whole of it in one call, in the
// order of their numbers, so its state stays in the cache. The order makes no difference to results, as what is sent in
// a window arrives after it.
//
// Where one worker has all processes, most of them can go through two windows of W ticks in one call: the *wide* ones,
// of which none sends to another wide one anything that arrives in less than 2 W. All others are *narrow*. Of windows k
// and k + 1 the narrow ones run k, then the wide ones run both, then the narrow ones run k + 1: what arrives at a wide
// process in k + 1 was sent by a narrow one in k or before, or by a wide one before k; what arrives at a narrow one in
// k + 1 was sent in k or before. So the states of processes come into the cache half as often.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/error.h"
#include "engine/events/calendar.h"
#include "engine/events/message_log.h"
#include "engine/instruments/causes.h"
#include "engine/instruments/meter.h"
#include "engine/instruments/report.h"
#include "engine/logical_process.h"
#include "engine/threads/cache_aligned.h"

namespace engine {

// Why a run ends with an error.
struct Failure {
    Time window;
    int process;    // its number
    ExitCode code;  // of what it threw; `done` if it threw nothing but is unfinished
    std::string text;
};

class Scheduler {
  public:
    // `all`: the processes of the machine, by number.
    Scheduler(std::span<const std::unique_ptr<LogicalProcess>> all, const Windows& windows);

    // Before the run.
    void add(LogicalProcess& process);
    void log_to(MessageRecorder& recorder) { recorder_ = &recorder; }
    void find_causes(Causes& causes) { causes_ = &causes; }  // of what is measured
    void widen(const std::vector<bool>& wide);               // all processes, by number; it has all of them

    Calendar& calendar() { return calendar_; }
    const Calendar& calendar() const { return calendar_; }
    Meter& meter() { return meter_; }
    const Meter& meter() const { return meter_; }
    const std::vector<LogicalProcess*>& processes() const { return processes_; }

    // The first window in which something happens, `never` if there is none.
    Time next_window() const {
        return std::min(calendar_.next_window(), next_wake_ == never ? never : windows_.of(next_wake_));
    }
    // Advances all processes through it, by number, until one throws. Of several failures of a run the earliest window
    // counts, then the lowest number, so the one that counts does not depend on the plan.
    std::optional<Failure> run(Time window, bool measured);
    // Goes through this window and the next one together, where it can. The end is that of run(); nothing is measured.
    bool takes_two(Time window) const {
        return !wide_.empty() && recorder_ == nullptr && window % 2 == 0 && window >= first_of_two;
    }
    std::optional<Failure> run_two(Time window);

    // The number of the process that is advanced or was advanced last; -1: none yet. From any thread.
    int current() const { return current_.load(std::memory_order_relaxed); }
    // After the run: adds what the processes have done.
    void report(RunReport& report) const;

  private:
    template <class T>
    using Table = std::vector<T, CacheAligned<T>>;
    using Bits = Table<std::uint64_t>;  // by number of the process

    struct Slot {
        LogicalProcess* process;
        Time wake;            // its next step or alarm
        std::uint32_t first;  // of the list of its messages in this window, in the pool
    };

    // A pair of windows is within an epoch of the samples of hashes from here on.
    static constexpr Time first_of_two = MessageHash::most_samples;

    static std::size_t at(const LogicalProcess& process) { return static_cast<std::size_t>(process.number()); }
    void gather(Time window);
    void log(Time until);
    void collect_due(Time window);
    template <class F>
    void for_each_due(Time until, F f);
    void order_arrivals(Slot& slot, Time until);
    void sample(LogicalProcess& process, Time until) const;
    void advance(LogicalProcess& process, Time until);
    void note_wake(Slot& slot);
    void advance_due(Time until);
    void advance_measured(Time until);
    template <class F>
    std::optional<Failure> attempt(Time first, Time last, F f);
    std::optional<Failure> run_part(const Bits& part, Time first, Time last);
    Failure first_failure(Failure failure, Time window);
    Failure failure(Time first, Time last, ExitCode code, const std::string& text) const;

    Windows windows_;
    Calendar calendar_;
    std::vector<LogicalProcess*> processes_;
    Table<Slot> slots_;                    // by number, of all processes of the machine
    Bits awake_, active_;                  // have a step or an alarm ahead; have messages in this window
    Bits due_;                             // may have something to do in this window
    Bits wide_, narrow_;                   // empty: all go window by window
    Time next_wake_ = never;               // of all, or earlier
    std::size_t gathered_ = 0;             // messages, of one window or two
    Table<Arrival> arrivals_;              // room for the messages of this window, those of a process side by side
    Arrival* arrivals_end_ = nullptr;      // of those that are there
    MessageRecorder* recorder_ = nullptr;  // null: no messages are logged
    Causes* causes_ = nullptr;             // null: no causes are noted
    Meter meter_;
    std::atomic<int> current_ = -1;
};

}  // namespace engine
