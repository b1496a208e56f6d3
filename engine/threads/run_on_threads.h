// The threads of a run.
#pragma once

#include <functional>

namespace engine {

inline constexpr int most_threads = 256;  // of one oneTBB arena, on any machine

// Calls work(0), ..., work(threads - 1) at the same time, work(0) on the calling thread, and returns when all have. The
// calls may wait for each other: each has a thread of its own. work must not throw. Throws ConfigError if so many
// threads are not to be had.
void run_on_threads(int threads, const std::function<void(int)>& work);

}  // namespace engine
