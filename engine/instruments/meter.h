// Meter: measures where the wall time of a worker goes, by measuring every so many windows completely: reading a clock
// in every window would cost more than many windows do. What the worker waits it measures itself.
//
// A measured window begins where the one before ended, so that looking for it is part of it. Its stretches are: idle
// (looking for the window), messages (what the worker does for it), work (each process, with finding it and putting its
// messages in order: that goes with it to another worker).
#pragma once

#include <cstdint>
#include <vector>

#include "engine/instruments/timeline.h"
#include "engine/instruments/work_log.h"
#include "engine/threads/cycle_counter.h"
#include "engine/units.h"

namespace engine {

class Meter {
  public:
    explicit Meter(std::size_t processes) : work_of_(processes) {}

    // Before the run. `every`: windows, at least 1. Where to note everything measured, or null.
    void set_up(unsigned every, WorkLog* log, Timeline::Lane* lane, std::size_t most_slices);

    // By the worker, about a window that it runs; `waited`: seconds so far. Whether this one is measured.
    bool begin(Time window, double waited) { return armed_ && begin_measured(window, waited); }
    void collected();
    void advanced(int process, std::uint32_t messages);
    void end(double waited, unsigned windows) {  // that were run together
        if (armed_ || countdown_ <= windows)
            end_measured(waited);
        else
            countdown_ -= windows;
    }

    // After the run, or while the worker stands still. Stamps in the measured windows.
    CycleCount idle() const { return idle_; }
    CycleCount messages() const { return messages_; }
    CycleCount work() const { return work_; }
    const std::vector<CycleCount>& work_of() const { return work_of_; }  // by number of the process
    std::uint64_t windows() const { return windows_; }                   // measured
    // Ends what was noted: from now on it is in seconds.
    void finish(const CycleScale& scale);

  private:
    static constexpr unsigned warm_up = 16;  // windows that are not measured at the beginning
    bool begin_measured(Time window, double waited);
    void end_measured(double waited);
    void note(CycleCount begin, CycleCount end, std::int32_t what, double waited = 0);

    bool armed_ = false;
    unsigned every_ = 127, countdown_ = warm_up;
    CycleCount idle_ = 0, messages_ = 0, work_ = 0;
    std::vector<CycleCount> work_of_;
    std::uint64_t windows_ = 0;

    double waited_ = 0;                                    // when the stretch began
    CycleCount armed_at_ = 0, began_ = 0, collected_ = 0;  // of this window
    CycleCount work_before_ = 0, work_ended_ = 0;
    CycleCount last_end_ = 0;  // of the last measured window
    double last_waited_ = 0;

    WorkLog* log_ = nullptr;
    Timeline::Lane* lane_ = nullptr;
    std::size_t most_slices_ = 0, first_slice_ = 0;
};

}  // namespace engine
