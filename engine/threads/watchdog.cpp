#include "engine/threads/watchdog.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <utility>

#include "engine/error.h"

namespace engine {

namespace {

void watch(const std::stop_token& stop, double seconds, const std::function<std::uint64_t()>& progress,
           const std::function<bool()>& blocked_on_remote, const std::function<std::string()>& report) {
    const std::chrono::duration<double> period(std::min(1.0, seconds / 8));
    std::mutex mutex;
    std::condition_variable_any stopped;
    std::unique_lock lock(mutex);
    std::uint64_t seen = progress();
    double idle = 0;  // counted in looks, so that a program that was stopped for a while is not taken for stuck
    while (!stopped.wait_for(lock, stop, period, [&] { return stop.stop_requested(); })) {
        const std::uint64_t now = progress();
        idle = std::exchange(seen, now) == now ? idle + period.count() : 0;
        if (idle < seconds || (idle < seconds + 2 && blocked_on_remote())) continue;
        std::fprintf(stderr, "error: no progress for %g s of wall time: %s\n", seconds, report().c_str());
        std::fflush(stderr);
        std::_Exit(static_cast<int>(ExitCode::internal));  // no unwinding: the thread to unwind is stuck
    }
}

}  // namespace

Watchdog::Watchdog(double seconds, std::function<std::uint64_t()> progress, std::function<bool()> blocked_on_remote,
                   std::function<std::string()> report) {
    if (seconds <= 0) return;
    thread_ = std::jthread([seconds, progress = std::move(progress), blocked_on_remote = std::move(blocked_on_remote),
                            report = std::move(report)](const std::stop_token& stop) {
        watch(stop, seconds, progress, blocked_on_remote, report);
    });
}

}  // namespace engine
