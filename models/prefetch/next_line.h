// Brings the blocks that follow one which had to be brought (Smith, "Cache Memories", ACM Computing Surveys 1982,
// tagged prefetch): on a miss, and on the first access of a line that was prefetched, which goes on what a miss began.
#pragma once

#include <string_view>

#include "engine/archive.h"
#include "models/prefetch/prefetch_queue.h"
#include "models/prefetch/prefetch_shape.h"

namespace models {

class NextLine {
  public:
    static constexpr std::string_view name = "next_line";

    explicit NextLine(const PrefetchShape& shape) : degree_(shape.next_line_degree) {}

    void observe(const CacheObservation& access, PrefetchQueue& requests) {
        if (!access.is_new()) return;
        for (std::uint32_t i = 1; i <= degree_; ++i) requests.want(access.block + i, access.attribution);
    }

    void serialize(engine::Archive& /*archive*/) {}

  private:
    std::uint32_t degree_;
};

}  // namespace models
