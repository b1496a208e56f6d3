// StopRequest: turns signals into a wish that a run can see (RunOptions::stop_requested).
#pragma once

#include <atomic>

namespace engine {

// As long as it lives, the first SIGINT, SIGTERM, SIGHUP or SIGUSR1 is noted instead of ending the program, and the
// next one does what it did before. A SIGHUP that is ignored (nohup) stays ignored. At most one at a time.
class StopRequest {
  public:
    StopRequest();
    ~StopRequest();  // what the signals did before they do again
    StopRequest(const StopRequest&) = delete;
    StopRequest& operator=(const StopRequest&) = delete;

    // The signal that came, 0 if none did.
    static int signal() { return requested().load(std::memory_order_relaxed); }
    static const std::atomic<int>& requested();

    // Ends the program as the signal would have done, so that whoever waits for it sees by what it was stopped.
    [[noreturn]] static void die_of(int signal);
};

}  // namespace engine
