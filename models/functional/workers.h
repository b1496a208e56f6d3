// The threads of the functional renderer. Work items are independent of each other; which thread takes which item
// never shows in a result: items write to places of their own, and `worker` selects scratch memory only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>

namespace models::functional {

class Workers {
  public:
    explicit Workers(int threads);  // 0: as many as the machine has

    int count() const { return count_; }

    // Calls work(item, worker) once for every item below `items`; worker < count(). A single item runs on the calling
    // thread. When items throw, all others still run, and the exception of the lowest item is thrown again.
    void for_each(int items, const std::function<void(int item, int worker)>& work) const;

  private:
    int count_ = 1;
};

// Calls work(first, end) for bands of rows that together are the rows below `rows`; what a band is does not depend on
// the number of threads.
template <class Work>
void for_each_band(const Workers& workers, std::uint32_t rows, const Work& work) {
    constexpr std::uint32_t band = 64;
    workers.for_each(static_cast<int>((rows + band - 1) / band), [&](int item, int) {
        const std::uint32_t first = static_cast<std::uint32_t>(item) * band;
        work(first, std::min(first + band, rows));
    });
}

}  // namespace models::functional
