// Replication in the texture caches: how many of them hold the same line (paper 004, figure 1).
//
// From time to time, at the same moments in all of them, every cache notes which lines it holds, those on their way to
// it included, the line of the last lookup that was served, and how many lookups were since the census before. What
// they noted is put together when the frame is over, so it is exact however the caches are dealt to threads and ranks.
// Two things come of a census:
//
//     lines    distinct lines by the number of caches that hold them
//     lookups  lookups by the number of caches that hold their line: those of an interval count like the last one of
//              each cache. The cache that looked it up holds it, unless caches are one and the line's home is another.
//              This is figure 1, of samples: there every request is looked at "right after" it was serviced. The longer
//              the intervals, the later some lookups are looked at, when others have fetched the line as well or it has
//              been replaced
#pragma once

#include <vector>

#include "engine/series.h"
#include "models/base/intervals.h"
#include "models/base/time_series.h"
#include "models/memory/cache.h"

namespace models {

// Of one cache: a member of its host, which calls look() before anything that happens to the cache. Without a cache
// every is 0.
class Census {
  public:
    Census(engine::CounterList* list, engine::Time every) : intervals_(every), series(list) {}

    bool is_due(engine::Time now) const { return intervals_.is_over(now); }
    void begin_frame(engine::Time now) { intervals_.begin(now); }
    void look(engine::Time now, const Cache* cache) {
        while (intervals_.is_over(now)) [[unlikely]] {
            note(*cache);
            intervals_.close();
        }
    }
    // At the end of the frame there is one, too.
    void end_frame(engine::Time now, const Cache* cache) {
        look(now, cache);
        if (intervals_.cut(now)) note(*cache);
    }
    void serialize(engine::Archive& archive) { archive(intervals_, lookups_); }

  private:
    void note(const Cache& cache);

    Intervals intervals_;
    std::uint64_t lookups_ = 0;  // until the census before

  public:
    engine::Series series;  // by census: start, end, lookups, line of the last one + 1 or 0, number of lines, the lines
                            // in ascending order
};

// `noted`: by cache what its census noted of a frame. `are_one`: what a core looks up may be kept elsewhere alone.
TimeSeries count_sharers(const std::vector<std::vector<std::uint64_t>>& noted, bool are_one);

}  // namespace models
