// Work items that do not depend on each other, on as many threads as the caller has: which thread takes which never
// shows in a result. The machine has no threads of its own for what is done before and after a run; whoever loads
// frames has, and gives them as a ForEach.
#pragma once

#include <cstddef>
#include <functional>

namespace models {

// Calls work(item) once for every item below `items`. When items throw, what the lowest of them has thrown is thrown
// again; all items below it have run.
using ForEach = std::function<void(int items, const std::function<void(int item)>& work)>;

// One after the other, on the calling thread.
inline void in_turn(int items, const std::function<void(int item)>& work) {
    for (int item = 0; item < items; ++item) work(item);
}

// Rows of a table in bands, which do not depend on how many threads there are.
class Bands {
  public:
    static constexpr std::size_t most_rows = std::size_t{1} << 15;
    static constexpr std::size_t tiles = 64;  // of a render target, each of which may have thousands of quads

    explicit Bands(std::size_t rows, std::size_t rows_of_band = most_rows)
        : rows_(rows),
          count_(rows / rows_of_band + 1) {}
    int count() const { return static_cast<int>(count_); }
    std::size_t first(int band) const { return rows_ * static_cast<std::size_t>(band) / count_; }
    std::size_t end(int band) const { return first(band + 1); }
    // Calls work(row) for all rows.
    template <class Work>
    void for_each_row(const ForEach& for_each, const Work& work) const {
        for_each(count(), [&](int band) {
            for (std::size_t row = first(band); row < end(band); ++row) work(row);
        });
    }

  private:
    std::size_t rows_, count_;
};

}  // namespace models
