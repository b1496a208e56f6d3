// The threads of the functional renderer. Work items are independent of each other; which thread takes which item
// never shows in a result: items write to places of their own, and `worker` selects scratch memory only.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace models::functional {

class Workers {
  public:
    explicit Workers(int threads);  // 0: as many as the machine has
    ~Workers();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    int count() const { return count_; }

    // Calls work(item, worker) once for every item below `items`; worker < count(). A single item runs on the calling
    // thread. When items throw, the exception of the lowest of them is thrown again, whichever thread took it: all
    // items below it have run, others may not have. An item must not rely on what the one before left in its worker's
    // scratch memory: that one may have thrown. Not from inside an item.
    void for_each(int items, const std::function<void(int item, int worker)>& work) const;

    // Calls f with the threads standing by: to wake them for every for_each() takes them longer than much of what
    // there is to do. They use their cores meanwhile. What f throws is thrown again.
    void stand_by(const std::function<void()>& f) const;

  private:
    class Team;
    int count_ = 1;
    mutable std::unique_ptr<Team> team_;  // null: nobody stands by
};

// Calls work(first, end) for bands of rows that together are the rows below `rows`: four for every 256 rows, so that
// two or four workers get equally many. What a band is does not depend on the number of workers.
template <class Work>
void for_each_band(const Workers& workers, std::uint32_t rows, const Work& work) {
    const std::uint32_t bands = 4 * ((rows + 255) / 256);
    workers.for_each(static_cast<int>(bands), [&](int item, int) {
        const auto edge = [&](std::uint64_t i) { return static_cast<std::uint32_t>(rows * i / bands); };
        const auto i = static_cast<std::uint64_t>(item);
        work(edge(i), edge(i + 1));
    });
}

}  // namespace models::functional
