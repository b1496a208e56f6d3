// The items of one call of Workers::for_each(), dealt to the workers. Each has a range of neighbours for itself: tiles
// that lie side by side share cache lines and textures, which two workers would otherwise take from each other all the
// time. Who has done his own takes from the far end of another's range.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

namespace models::functional {

class WorkItems {
  public:
    WorkItems(int items, int workers) : ranges_(static_cast<std::size_t>(workers)) {
        const auto edge = [&](int worker) {
            return static_cast<std::uint32_t>(std::int64_t{items} * worker / workers);
        };
        for (int worker = 0; worker < workers; ++worker)
            range(worker).store(pack(edge(worker), edge(worker + 1)), std::memory_order_relaxed);
    }

    // The next item of a worker; -1: all have been taken.
    int take(int worker) {
        const auto workers = static_cast<int>(ranges_.size());
        int item = take_from(worker, true);
        for (int i = 1; item < 0 && i < workers; ++i) item = take_from((worker + i) % workers, false);
        return item;
    }

  private:
    // What is left, in one word: its first item and its end. Alone in a pair of cache lines.
    struct alignas(128) Range {
        std::atomic<std::uint64_t> left;
    };
    static std::uint64_t pack(std::uint32_t first, std::uint32_t end) { return std::uint64_t{first} << 32U | end; }

    std::atomic<std::uint64_t>& range(int worker) { return ranges_[static_cast<std::size_t>(worker)].left; }
    int take_from(int worker, bool front) {
        std::atomic<std::uint64_t>& left = range(worker);
        std::uint64_t found = left.load(std::memory_order_relaxed);
        for (;;) {
            const auto first = static_cast<std::uint32_t>(found >> 32U), end = static_cast<std::uint32_t>(found);
            if (first == end) return -1;
            const std::uint64_t rest = front ? pack(first + 1, end) : pack(first, end - 1);
            if (left.compare_exchange_weak(found, rest, std::memory_order_relaxed))
                return static_cast<int>(front ? first : end - 1);
        }
    }

    std::vector<Range> ranges_;  // by worker
};

}  // namespace models::functional
