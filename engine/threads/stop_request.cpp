#include "engine/threads/stop_request.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <mutex>

namespace engine {

namespace {

constexpr std::array<int, 4> signals = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): a signal handler sees nothing else
std::atomic<int> seen = 0;
static_assert(std::atomic<int>::is_always_lock_free);
std::atomic<std::int64_t> first = 0;  // when the first signal came, in nanoseconds
static_assert(std::atomic<std::int64_t>::is_always_lock_free);
std::array<struct sigaction, signals.size()> before;
bool installed = false;
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

constexpr std::int64_t same_wish = 1'000'000'000;  // nanoseconds

std::int64_t now() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * std::int64_t{1'000'000'000} + time.tv_nsec;
}

void note(int signal) {
    std::int64_t none = 0;
    if (first.compare_exchange_strong(none, now())) {
        seen.store(signal, std::memory_order_relaxed);
        return;
    }
    if (signal != SIGINT && now() - none < same_wish) return;
    for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &before[i], nullptr);
    raise(signal);  // arrives when this handler is done
}

}  // namespace

StopRequest::StopRequest() {
    assert(!installed);
    installed = true;
    seen = 0;
    first = 0;
    struct sigaction action{};
    action.sa_handler = note;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    for (const int signal : signals) sigaddset(&action.sa_mask, signal);
    for (std::size_t i = 0; i < signals.size(); ++i) {
        sigaction(signals[i], &action, &before[i]);
        const bool stays_ignored = signals[i] == SIGHUP && before[i].sa_handler == SIG_IGN;  // as under nohup
        if (stays_ignored) sigaction(signals[i], &before[i], nullptr);
    }
}

StopRequest::~StopRequest() {
    for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &before[i], nullptr);
    installed = false;
}

const std::atomic<int>& StopRequest::requested() {
    return seen;
}

void StopRequest::die_of(int signal) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
    std::_Exit(128 + signal);  // where it is blocked
}

StopAlarm::StopAlarm(double seconds)
    : thread_([period = std::chrono::duration<double>(std::clamp(seconds, 0.0, 1e9))](const std::stop_token& stop) {
          std::mutex mutex;
          std::condition_variable_any gone;
          std::unique_lock lock(mutex);
          if (gone.wait_for(lock, stop, period, [&] { return stop.stop_requested(); })) return;
          int nothing = 0;
          seen.compare_exchange_strong(nothing, StopRequest::alarm);
      }) {}

StopAlarm::~StopAlarm() {
    thread_.request_stop();
    thread_.join();
    int noted = StopRequest::alarm;
    seen.compare_exchange_strong(noted, 0);
}

}  // namespace engine
