#include "models/functional/workers.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include "engine/together.h"

namespace models::functional {

Workers::Workers(int threads)
    : count_(threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()))) {}

void Workers::for_each(int items, const std::function<void(int, int)>& work) const {
    std::mutex mutex;
    std::exception_ptr failure;
    int failed_item = items;
    std::atomic<int> next = 0;
    engine::run_together(std::clamp(items, 1, count_), [&](int worker) {
        for (int item = 0; (item = next.fetch_add(1, std::memory_order_relaxed)) < items;) {
            try {
                work(item, worker);
            } catch (...) {
                const std::lock_guard lock(mutex);
                if (item < failed_item) {
                    failed_item = item;
                    failure = std::current_exception();
                }
            }
        }
    });
    if (failure) std::rethrow_exception(failure);
}

}  // namespace models::functional
