// Sleeping and waiting on the simulated clock. The thread that draws does not really sleep; other threads do, or they
// would spin, and so do programs that never draw. Deadlines were computed from the simulated clock and are led back to
// the real one.
#include <algorithm>
#include <cerrno>

#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "io/recorder/preload/clock.h"
#include "io/recorder/preload/interpose.h"

namespace {

using io::preload::Nanoseconds;
using io::preload::Next;
using io::preload::second;

Nanoseconds in_nanoseconds(const timespec& time) {
    return time.tv_sec * second + time.tv_nsec;
}
timespec in_timespec(Nanoseconds time) {
    return {.tv_sec = time / second, .tv_nsec = time % second};
}

bool is_valid(const timespec* time) {
    return time != nullptr && time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < second;
}

int real_nanosleep(Nanoseconds time) {
    const timespec wanted = in_timespec(std::max<Nanoseconds>(time, 0));
    return static_cast<int>(::syscall(SYS_nanosleep, &wanted, nullptr));
}

// 0, or -1 if a signal came.
int sleep_for(Nanoseconds time) {
    if (io::preload::keeps_time()) {
        io::preload::spend(time);
        ::sched_yield();
        return 0;
    }
    const int result = real_nanosleep(time);
    io::preload::spend(time);
    return result;
}

// A deadline on one of the simulated clocks, as time from now. Which clock it is shows in its size: the calendar is
// decades ahead of the monotonic clocks.
Nanoseconds time_until(const timespec& deadline) {
    const Nanoseconds time = in_nanoseconds(deadline);
    const Nanoseconds start =
        time > io::preload::start_of_calendar / 2 ? io::preload::start_of_calendar : io::preload::start_of_monotonic;
    return std::max<Nanoseconds>(time - start - io::preload::read_clock(), 0);
}

timespec real_deadline(clockid_t clock, Nanoseconds from_now) {
    timespec now{};
    ::syscall(SYS_clock_gettime, clock, &now);
    return in_timespec(in_nanoseconds(now) + from_now);
}

// `wait` gets the deadline on the real clock that its simulated deadline stands for.
template <class Wait>
int wait_until(const timespec* deadline, clockid_t clock, int timed_out, Wait wait) {
    if (!io::preload::clock_is_simulated() || !is_valid(deadline)) return wait(deadline);
    const Nanoseconds from_now = time_until(*deadline);
    const timespec real = real_deadline(clock, from_now);
    const int result = wait(&real);
    if (result == timed_out) io::preload::spend(from_now);
    return result;
}

clockid_t clock_of(const timespec* deadline) {
    const bool calendar = is_valid(deadline) && in_nanoseconds(*deadline) > io::preload::start_of_calendar / 2;
    return calendar ? CLOCK_REALTIME : CLOCK_MONOTONIC;
}

using TimedWait = int (*)(pthread_cond_t*, pthread_mutex_t*, const timespec*);
using ClockWait = int (*)(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*);
using SemaphoreWait = int (*)(sem_t*, const timespec*);
using ClockNanosleep = int (*)(clockid_t, int, const timespec*, timespec*);
using Poll = int (*)(pollfd*, nfds_t, int);
using Select = int (*)(int, fd_set*, fd_set*, fd_set*, timeval*);

Next<TimedWait> next_timed_wait{"pthread_cond_timedwait"};
Next<ClockWait> next_clock_wait{"pthread_cond_clockwait"};
Next<SemaphoreWait> next_semaphore_wait{"sem_timedwait"};
Next<ClockNanosleep> next_clock_nanosleep{"clock_nanosleep"};
Next<Poll> next_poll{"poll"};
Next<Select> next_select{"select"};

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

int nanosleep(const timespec* time, timespec* rest) {
    if (!io::preload::clock_is_simulated() || !is_valid(time))
        return static_cast<int>(::syscall(SYS_nanosleep, time, rest));
    const int result = sleep_for(in_nanoseconds(*time));
    if (rest != nullptr) *rest = {};  // what a signal cut off was spent all the same
    return result;
}

int clock_nanosleep(clockid_t clock, int flags, const timespec* time, timespec* rest) {
    if (!io::preload::clock_is_simulated() || !is_valid(time))
        return next_clock_nanosleep.get()(clock, flags, time, rest);
    const bool absolute = (flags & TIMER_ABSTIME) != 0;
    const int result = sleep_for(absolute ? time_until(*time) : in_nanoseconds(*time));
    if (!absolute && rest != nullptr) *rest = {};
    return result == 0 ? 0 : EINTR;
}

int usleep(useconds_t microseconds) {
    const timespec time = in_timespec(Nanoseconds{microseconds} * 1000);
    return nanosleep(&time, nullptr);
}

unsigned sleep(unsigned seconds) {
    const timespec time = in_timespec(Nanoseconds{seconds} * second);
    nanosleep(&time, nullptr);
    return 0;
}

int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* deadline) {
    return wait_until(deadline, clock_of(deadline), ETIMEDOUT,
                      [&](const timespec* real) { return next_timed_wait.get()(condition, mutex, real); });
}

int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           const timespec* deadline) {
    return wait_until(deadline, clock, ETIMEDOUT,
                      [&](const timespec* real) { return next_clock_wait.get()(condition, mutex, clock, real); });
}

int sem_timedwait(sem_t* semaphore, const timespec* deadline) {
    return wait_until(deadline, CLOCK_REALTIME, -1,
                      [&](const timespec* real) { return next_semaphore_wait.get()(semaphore, real); });
}

int poll(pollfd* watched, nfds_t count, int milliseconds) {
    const int result = next_poll.get()(watched, count, milliseconds);
    if (result == 0 && io::preload::clock_is_simulated()) io::preload::spend(Nanoseconds{milliseconds} * 1'000'000);
    return result;
}

int select(int count, fd_set* readable, fd_set* writable, fd_set* exceptional, timeval* timeout) {
    const Nanoseconds wanted = timeout == nullptr ? 0 : timeout->tv_sec * second + timeout->tv_usec * 1000;
    const int result = next_select.get()(count, readable, writable, exceptional, timeout);
    if (result == 0 && io::preload::clock_is_simulated()) io::preload::spend(wanted);
    return result;
}

}  // extern "C"
#pragma GCC visibility pop
