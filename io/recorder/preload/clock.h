// The clock an application sees while it is recorded: it advances by a fixed step per swap of buffers, so that what it
// animates by time is the same in every recording.
//
// Between swaps every reading is one nanosecond after the one before; after 1000 readings the application is waiting
// for time to pass, and every further reading takes 10 microseconds. Sleeping and waiting advance the clock of the
// thread that does it by what was asked. Other threads see only swaps and their own waiting, so no thread's time
// depends on how the system schedules the others. Starts at 2024-01-01 00:00:00 UTC; the monotonic clocks start at 1000
// s.
//
// Off (the real clock) unless TESSERA_CLOCK_STEP_NS is set. Not covered: processor counters (rdtsc), times(),
// getrusage(), timerfd, setitimer, alarm.
#pragma once

#include <cstdint>

namespace io::preload {

using Nanoseconds = std::int64_t;

bool clock_is_simulated();
Nanoseconds read_clock();      // since the start; counts as a reading
void spend(Nanoseconds time);  // the calling thread slept or waited that long
void end_picture();            // buffers were swapped by the calling thread
bool keeps_time();             // the calling thread swapped last

inline constexpr Nanoseconds second = 1'000'000'000;
inline constexpr Nanoseconds start_of_calendar = 1'704'067'200 * second;
inline constexpr Nanoseconds start_of_monotonic = 1000 * second;

}  // namespace io::preload
