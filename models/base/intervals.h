// Intervals of one length, one after the other from the begin of a frame, for what is noted at their ends. What happens
// at the end of one belongs to it. Plain data, in ticks.
#pragma once

#include "engine/archive.h"
#include "engine/units.h"

namespace models {

class Intervals {
  public:
    explicit Intervals(engine::Time length) : length_(length) {}  // 0: there are none

    void begin(engine::Time now) {
        start_ = now;
        end_ = length_ == 0 ? engine::never : now + length_;
    }
    // Before anything that happens now: the interval has ended before, so it is noted and closed.
    bool is_over(engine::Time now) const { return now > end_; }
    engine::Time start() const { return start_; }
    engine::Time end() const { return end_; }
    void close() { begin(end_); }
    // The frame ends: the interval is cut short, and none follows. False: there is nothing of it.
    bool cut(engine::Time now) {
        if (length_ == 0 || now == start_) return false;
        end_ = now;
        return true;
    }

    void serialize(engine::Archive& archive) { archive(start_, end_); }

  private:
    engine::Time length_;
    engine::Time start_ = 0, end_ = engine::never;
};

}  // namespace models
