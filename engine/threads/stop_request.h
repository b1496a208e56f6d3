// StopRequest: turns signals, and StopAlarm the clock, into a wish that a run can see (RunOptions::stop_requested).
#pragma once

#include <atomic>
#include <csignal>
#include <thread>

namespace engine {

// As long as it lives, the first SIGINT, SIGTERM, SIGHUP or SIGUSR1 is noted instead of ending the program, and the
// next one does what it did before. What follows the first within a second is the same wish again, but for SIGINT,
// which a person sends: batch systems signal every process of a job, and a parent passes on what its child has already
// got. A SIGHUP that is ignored (nohup) stays ignored. At most one at a time.
class StopRequest {
  public:
    StopRequest();
    ~StopRequest();  // what the signals did before they do again
    StopRequest(const StopRequest&) = delete;
    StopRequest& operator=(const StopRequest&) = delete;

    // The signal that came, 0 if none did.
    static int signal() { return requested().load(std::memory_order_relaxed); }
    static const std::atomic<int>& requested();

    // What a StopAlarm notes in place of a signal. A signal that comes too counts more.
    static constexpr int alarm = SIGALRM;

    // Ends the program as the signal would have done, so that a parent process sees what stopped it.
    [[noreturn]] static void die_of(int signal);
};

// Notes StopRequest::alarm after so many seconds of wall time, unless it goes before; takes it back when it goes.
class StopAlarm {
  public:
    explicit StopAlarm(double seconds);
    StopAlarm(const StopAlarm&) = delete;
    StopAlarm& operator=(const StopAlarm&) = delete;
    ~StopAlarm();

  private:
    std::jthread thread_;
};

}  // namespace engine
