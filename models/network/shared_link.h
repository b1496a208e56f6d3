// A link that several senders share: it carries one message at a time, oldest first. Messages that come in one cycle
// go in the order in which the link hears of them, which is that of their senders' numbers in a cycle's first tick. So
// a message waits for those before it only, nobody starves, and when a message leaves is known when it comes.
//
// Under Poisson arrivals of messages of one length it is an M/D/1 queue, as it never idles while a message waits.
#pragma once

#include <algorithm>
#include <string>

#include "models/base/time_account.h"

namespace models {

class SharedLink {
  public:
    SharedLink(const engine::CounterScope& scope, std::string_view senders, engine::Time period)
        : time(scope, {{{"idle", Activity::starved, senders}, {"transfer", Activity::busy}}}, period),
          period_(period) {}

    // A message of so many beats that can begin at this edge, no earlier one than those of the calls before. Returns
    // when it begins; its last beat ends at free_at().
    engine::Time carry(engine::Time edge, std::uint32_t beats) {
        const engine::Time begin = std::max(edge, free_at_);
        free_at_ = begin + beats * period_;
        time.enter(begin, transfer, free_at_, idle);
        return begin;
    }
    engine::Time free_at() const { return free_at_; }
    const engine::Counter& busy_cycles() const { return time.cycles[transfer]; }

    void serialize(engine::Archive& archive) { archive(free_at_, time); }

    TimeAccount<2> time;

  private:
    enum State : std::uint8_t { idle, transfer };
    engine::Time period_;
    engine::Time free_at_ = 0;
};

}  // namespace models
