#include "engine/together.h"

#include <algorithm>
#include <string>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include "engine/error.h"

namespace engine {

namespace {

constexpr int most_threads = 256;  // of one arena on any machine

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
        for (int i = 1; i < threads; ++i) group.run([&work, i] { work(i); });
        work(0);
        group.wait();
    });
}

}  // namespace engine
