#include "io/recorder/preload/clock.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>

#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

namespace io::preload {
namespace {

constexpr Nanoseconds free_readings = 1000;
constexpr Nanoseconds waiting_reading = 10'000;
constexpr Nanoseconds not_read_yet = -1;

std::atomic<Nanoseconds> step = not_read_yet;  // 0: the real clock
std::atomic<Nanoseconds> at_last_swap = 0;
std::atomic<std::uint64_t> swaps = 0;
std::atomic<pid_t> timekeeper = 0;  // the thread that swapped last; 0: none yet

struct OwnTime {
    std::uint64_t swaps = 0;  // for which the next two count
    Nanoseconds readings = 0;
    Nanoseconds spent = 0;
    Nanoseconds last = 0;  // time never goes back
};
thread_local OwnTime own;

Nanoseconds read_step() {
    Nanoseconds value = step.load(std::memory_order_relaxed);
    if (value != not_read_yet) return value;
    const char* text = std::getenv("TESSERA_CLOCK_STEP_NS");
    value = text == nullptr ? 0 : std::max<Nanoseconds>(std::strtoll(text, nullptr, 10), 0);
    step.store(value, std::memory_order_relaxed);
    return value;
}

void forget_before_last_swap() {
    const std::uint64_t now = swaps.load(std::memory_order_acquire);
    if (own.swaps != now) own = {.swaps = now, .last = own.last};
}

pid_t own_id() {
    return static_cast<pid_t>(::syscall(SYS_gettid));
}

}  // namespace

bool clock_is_simulated() {
    return read_step() > 0;
}

Nanoseconds read_clock() {
    forget_before_last_swap();
    ++own.readings;
    const Nanoseconds waiting = std::max<Nanoseconds>(own.readings - free_readings, 0) * waiting_reading;
    const Nanoseconds now = at_last_swap.load(std::memory_order_acquire) + own.spent + own.readings + waiting;
    own.last = std::max(own.last, now);
    return own.last;
}

void spend(Nanoseconds time) {
    forget_before_last_swap();
    own.spent += std::max<Nanoseconds>(time, 0);
}

void end_picture() {
    if (!clock_is_simulated()) return;
    const Nanoseconds next = at_last_swap.load(std::memory_order_relaxed) + read_step();
    at_last_swap.store(std::max(next, read_clock()), std::memory_order_release);
    swaps.fetch_add(1, std::memory_order_release);
    timekeeper.store(own_id(), std::memory_order_relaxed);
}

bool keeps_time() {
    return own_id() == timekeeper.load(std::memory_order_relaxed);
}

namespace {

bool has_start(clockid_t id, Nanoseconds& start) {
    switch (id) {
        case CLOCK_REALTIME:
        case CLOCK_REALTIME_COARSE:
        case CLOCK_TAI:
            start = start_of_calendar;
            return true;
        case CLOCK_MONOTONIC:
        case CLOCK_MONOTONIC_RAW:
        case CLOCK_MONOTONIC_COARSE:
        case CLOCK_BOOTTIME:
            start = start_of_monotonic;
            return true;
        case CLOCK_PROCESS_CPUTIME_ID:
        case CLOCK_THREAD_CPUTIME_ID:
            start = 0;
            return true;
        default:
            return false;
    }
}

int real_clock_gettime(clockid_t id, timespec* now) {
    return static_cast<int>(::syscall(SYS_clock_gettime, id, now));
}

}  // namespace
}  // namespace io::preload

#pragma GCC visibility push(default)
extern "C" {

int clock_gettime(clockid_t id, timespec* now) noexcept {
    using namespace io::preload;  // NOLINT(google-build-using-namespace)
    Nanoseconds start = 0;
    if (!clock_is_simulated() || !has_start(id, start)) return real_clock_gettime(id, now);
    const Nanoseconds time = start + read_clock();
    *now = {.tv_sec = time / second, .tv_nsec = time % second};
    return 0;
}

int gettimeofday(timeval* now, void* zone) noexcept {
    timespec precise{};
    clock_gettime(CLOCK_REALTIME, &precise);
    *now = {.tv_sec = precise.tv_sec, .tv_usec = precise.tv_nsec / 1000};
    if (zone != nullptr) *static_cast<struct timezone*>(zone) = {};
    return 0;
}

int timespec_get(timespec* now, int base) noexcept {
    if (base != TIME_UTC) return 0;
    clock_gettime(CLOCK_REALTIME, now);
    return base;
}

time_t time(time_t* now) noexcept {
    timespec precise{};
    clock_gettime(CLOCK_REALTIME, &precise);
    if (now != nullptr) *now = precise.tv_sec;
    return precise.tv_sec;
}

clock_t clock() noexcept {
    timespec precise{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &precise);
    return precise.tv_sec * CLOCKS_PER_SEC + precise.tv_nsec / (1'000'000'000 / CLOCKS_PER_SEC);
}

}  // extern "C"
#pragma GCC visibility pop
