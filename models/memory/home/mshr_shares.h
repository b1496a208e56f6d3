// How the MSHRs of a texture cache are dealt to misses of its own core and to requests of other cores, so that cores
// that wait for each other never wait in a circle. Plain data: no time, no ports.
//
// The rules:
//   1. `reserved` MSHRs are never given to misses of the own core. Requests of others may take any that is free.
//   2. A request of another core that misses is asked of the L2 cache, never of a third core.
//   3. It joins an MSHR of the same line only if that waits for the L2 cache. The line of a miss that waits for another
//      core is asked for a second time.
//   4. Requests of others wait in a queue of their own, in which there is room for all that may be sent: one for each
//      MSHR of each core, or fewer by credits of the requester. (The machine has room, and needs no credits.) What
//      waits to be sent to another core stands before nothing that goes to the L2 cache. Answers, notes and claims are
//      always taken.
//
// A directory needs no rule 3: it answers one request for a line after the other, so of misses of one line each waits
// only for those that were answered before it (home_exit.h).
//
// Then nobody waits in a circle. Order what may be waited for:
//
//     0  answers of the L2 cache and of memory, which need nothing from cores
//     1  an MSHR with a request of another core: by 2 and 3 it waits for something of 0
//     2  the head of the queue of requests: it waits for an MSHR that holds one of 1 (by 1 there are `reserved` that
//        hold nothing else; none is held by a miss of the own core), or for its bank, which is free in time
//     3  a credit towards another core, where there are credits: given back when a request leaves a queue, something of
//     2 4  an MSHR with a miss of the own core: it waits for something of 0, for a credit of 3, or for its answer from
//        another core, where it is in a queue or in an MSHR, something of 2 or 1
//     5  an access that found no MSHR or no credit: for something of 4 or 3
//
// Each waits for what has a lower number only, and what has number 0 comes. Without 1 two cores whose MSHRs are all
// taken by misses that wait for the other never go on. Without 3 two cores each of which takes the other for the owner
// of one line, as tables of different age do, never go on. tests/models/memory/home/waits_test.cpp plays both.
//
// The way through the mesh takes part in no circle: by rule 4 what arrives is always taken, so what is under way always
// moves on (network/mesh.h). A central table and a directory pass requests on to owners, which have room for them, so
// they wait for nobody.
#pragma once

#include <cassert>
#include <cstdint>

#include "engine/archive.h"

namespace models {

class MshrShares {
  public:
    enum class Use : std::uint8_t { own, other };                    // a miss of the own core; a request of another one
    enum class AnsweredBy : std::uint8_t { memory, core, unknown };  // who sends the line; unknown: the table is asked

    MshrShares(std::uint32_t mshrs, std::uint32_t reserved) : mshrs_(mshrs), reserved_(reserved) {
        assert(reserved < mshrs);
    }

    bool has_room(Use use) const { return own_ + other_ < mshrs_ && (use == Use::other || own_ < mshrs_ - reserved_); }
    void take(Use use) {
        assert(has_room(use));
        ++used(use);
    }
    void give_back(Use use) {
        assert(used(use) > 0);
        --used(use);
    }
    static constexpr bool may_join(Use use, AnsweredBy answer) {
        return use == Use::own || answer == AnsweredBy::memory;
    }

    void serialize(engine::Archive& archive) { archive(own_, other_); }

  private:
    std::uint32_t& used(Use use) { return use == Use::own ? own_ : other_; }

    std::uint32_t mshrs_, reserved_;
    std::uint32_t own_ = 0, other_ = 0;
};

}  // namespace models
