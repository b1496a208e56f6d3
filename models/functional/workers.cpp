#include "models/functional/workers.h"

#include <exception>
#include <mutex>
#include <optional>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

namespace models::functional {

struct Workers::Arena {
    explicit Arena(int threads) : tbb(threads) {
        if (threads > oneapi::tbb::info::default_concurrency()) {
            more_than_cores.emplace(oneapi::tbb::global_control::max_allowed_parallelism,
                                    static_cast<std::size_t>(threads));
        }
    }
    std::optional<oneapi::tbb::global_control> more_than_cores;
    oneapi::tbb::task_arena tbb;
};

Workers::Workers(int threads)
    : count_(threads > 0 ? threads : oneapi::tbb::info::default_concurrency()),
      arena_(std::make_unique<Arena>(count_)) {}

Workers::~Workers() = default;

void Workers::for_each(int items, const std::function<void(int, int)>& work) const {
    if (items <= 1 || count_ == 1) {
        for (int item = 0; item < items; ++item) {
            work(item, 0);
        }
        return;
    }
    std::mutex mutex;
    std::exception_ptr failure;
    int failed_item = items;
    arena_->tbb.execute([&] {
        oneapi::tbb::parallel_for(
            0, items,
            [&](int item) {
                try {
                    work(item, oneapi::tbb::this_task_arena::current_thread_index());
                } catch (...) {
                    const std::lock_guard lock(mutex);
                    if (item < failed_item) {
                        failed_item = item;
                        failure = std::current_exception();
                    }
                }
            },
            oneapi::tbb::simple_partitioner());
    });
    if (failure) {
        std::rethrow_exception(failure);
    }
}

}  // namespace models::functional
