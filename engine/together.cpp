#include "engine/together.h"

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include "engine/error.h"

namespace engine {

namespace {

constexpr int most_threads = 256;  // of one arena on any machine

using Work = std::function<void(int)>;

// oneTBB hands tasks to its threads, but its library hides from a thread sanitizer that it does. So the order between
// the calling thread and the tasks is made here once more, where it can be seen and checked.
struct Gate {
    std::atomic<const Work*> open = nullptr;
    std::atomic<int> left = 0;

    void pass(int thread) {
        const Work* work = nullptr;
        while ((work = open.load(std::memory_order_acquire)) == nullptr) std::this_thread::yield();
        (*work)(thread);
        left.fetch_add(1, std::memory_order_release);
    }
};

struct Task {
    Gate* gate;
    int thread;
    __attribute__((no_sanitize("thread"))) void operator()() const { gate->pass(thread); }
};

}  // namespace

void run_together(int threads, const std::function<void(int)>& work) {
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
        Gate gate;
        for (int thread = 1; thread < threads; ++thread) group.run(Task{&gate, thread});
        gate.open.store(&work, std::memory_order_release);
        work(0);
        group.wait();
        while (gate.left.load(std::memory_order_acquire) < threads - 1) std::this_thread::yield();
    });
}

}  // namespace engine
