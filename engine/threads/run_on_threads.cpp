#include "engine/threads/run_on_threads.h"

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include "engine/error.h"
#include "engine/threads/thread_placement.h"

// Of the thread sanitizer's runtime, where there is one.
extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the names are the sanitizer's
void __tsan_acquire(void*) __attribute__((weak));
void __tsan_release(void*) __attribute__((weak));
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
}

namespace engine {

namespace {

// oneTBB hands tasks to its threads, but its library hides from a thread sanitizer that it does. So it is told here.
void happens_before(void* order) {
    if (__tsan_release != nullptr) __tsan_release(order);
}
void happens_after(void* order) {
    if (__tsan_acquire != nullptr) __tsan_acquire(order);
}

// What the threads share until all of them run.
struct Start {
    ThreadPlacement spread;
    std::atomic<int> arrived = 0;
};

// A call for one of oneTBB's threads.
struct Call {
    const std::function<void(int)>* work;
    Start* start;
    void* order;  // between the caller and the calls
    int thread;
    __attribute__((no_sanitize("thread"))) void operator()() const { make(*work, *start, order, thread); }

  private:
    static void make(const std::function<void(int)>& work, Start& start, void* order, int thread) {
        happens_after(order);
        {
            const ThreadPlacement::Member member(start.spread, thread);
            start.arrived.fetch_add(1, std::memory_order_release);
            work(thread);
        }
        happens_before(order);
    }
};

}  // namespace

void run_on_threads(int threads, const std::function<void(int)>& work) {
    if (threads == 1) return work(0);
    // oneTBB does not start more threads than cores unless told that it may.
    using tbb::global_control;
    const auto wanted = static_cast<std::size_t>(threads);
    const global_control allow(global_control::max_allowed_parallelism,
                               std::max(wanted, global_control::active_value(global_control::max_allowed_parallelism)));
    const std::size_t allowed = global_control::active_value(global_control::max_allowed_parallelism);
    if (threads > most_threads || allowed < wanted)
        throw ConfigError("expected at most " + std::to_string(std::min<std::size_t>(allowed, most_threads)) +
                          " threads, found " + std::to_string(threads));
    tbb::task_arena arena(threads, 1);
    arena.execute([&] {
        tbb::task_group group;
        Start start{ThreadPlacement(threads)};
        const ThreadPlacement::Member member(start.spread, 0);
        happens_before(&arena);
        for (int thread = 1; thread < threads; ++thread) group.run(Call{&work, &start, &arena, thread});
        // A thread that was woken on this CPU could otherwise wait for milliseconds before it may leave it.
        while (start.arrived.load(std::memory_order_acquire) < threads - 1) std::this_thread::yield();
        ThreadPlacement::settle();
        work(0);
        group.wait();
        happens_after(&arena);
    });
}

}  // namespace engine
