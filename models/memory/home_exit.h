// The way of a texture cache that is one with those of other cores (home/README.md): between the cache and the memory
// port of its process. Says where a line that misses is asked for, takes lines from other cores and serves theirs.
//
// A miss of the own core goes to the L2 cache, to another core, or to a table or directory that knows to whom. It
// leaves at once; so that it can, it needs a credit towards the L2 cache even where another core will have the line.
// Lines of other cores are handed on and not kept. One request of another core is looked up a cycle, before the own
// core's lookups: in the order in which they came, until one is refused for lack of an MSHR, of room to wait or of a
// credit. mshr_shares.h says why nobody waits in a circle.
//
// With a directory a core keeps what it has asked of the L2 cache for itself, and says when a line goes. A line that
// another core asks for after it has gone is asked of the L2 cache and not kept, so that a line is in one cache. Such a
// request may wait with the core's own miss of the line wherever that has gone: the directory answers one request for
// a line after the other, so a core's miss only ever waits for one that was answered before.
//
// Lookahead: a message departs a lookup of the cache after now or later.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/block.h"
#include "engine/series.h"
#include "models/memory/cache.h"
#include "models/memory/home/home_policy.h"
#include "models/memory/home/mshr_shares.h"
#include "models/memory/home_message.h"
#include "models/memory/memory_port.h"
#include "models/structures/ring_queue.h"
#include "models/structures/slot_pool.h"

namespace models {

class HomeExit final : public MemoryExit {
  public:
    struct Shape {
        HomeShape home;
        CoreNumber core;
        std::uint32_t mshrs, reserved_mshrs, lines;  // of the texture cache
        std::uint32_t sum_accesses;                  // that a core of a distributed table counts before it tells
        engine::Time period, lookup, note_time;      // between two notes or sums
        SliceMap slices;                             // directories
        bool records_claims = false;
    };
    HomeExit(engine::LogicalProcess* process, MemoryPort& memory, const Shape& shape);

    // Of the cache: misses of the own core.
    bool can_send(BlockNumber block, int requests) const override {
        return shares_.has_room(MshrShares::Use::own) && memory_.can_send(block, requests);
    }
    void send(engine::Time now, const MemoryRequest& request, engine::Time delay) override;
    BlockNumber memory_blocks() const override { return memory_.memory_blocks(); }
    // One name for two: lines come from other cores, and from the L2 cache where the core asks it itself.
    std::string_view answered_by() const override { return "home_mesh"; }
    Observed observed() const override { return memory_.observed(); }

    // What the cache tells. hit(): of its own core, or joining a line on its way; true if it makes the line recent.
    bool hit(engine::Time now, BlockNumber block);
    void gone(LineNumber line);  // from the cache
    // A line came: whether it is to be kept. Its MSHR is free.
    bool take_line(engine::Time now, std::uint32_t entry);
    bool may_join(std::uint32_t entry) const;  // a request of another core, this line on its way
    bool is_kept(std::uint32_t entry) const { return flights_[entry].is_kept; }
    bool can_ask_for_others(BlockNumber block) const {
        return shares_.has_room(MshrShares::Use::other) && memory_.can_send(block);
    }
    // A request of another core misses, too.
    void ask_for_others(engine::Time now, const MemoryRequest& request);

    // Messages, which the host hands on after it has let the cache forget what is old (`tile`). True: the reply to the
    // MSHR entry of the message has come.
    bool take(engine::Time now, const HomeMessage& message, Cache& cache);
    // The L2 cache answers that another core sends the line. True if that has come before.
    bool wait_for_core(std::uint32_t entry);
    // A line that a request of another core waits for is there.
    void hand_on(engine::Time now, std::uint32_t waiter);

    // A request that has just come and finds no other before it is looked up without a step. When that is to be tried
    // again.
    bool may_serve_at_once(engine::Time now) const { return requests_.size() == 1 && !refused_ && served_at_ != now; }
    engine::Time serve_at_once(engine::Time now, Cache& cache) {
        return serve(now, cache) ? now + period_ : engine::never;
    }

    // A cycle: a request of another core, a note. When there is something to do again.
    engine::Time step(engine::Time now, Cache& cache);
    void retry(engine::Time now);  // something was answered
    bool has_work() const { return !requests_.empty() || !owned_.empty(); }
    void end_frame();
    std::string unfinished() const;
    void add_laws(Laws& laws, const std::string& name) const;
    void serialize(engine::Archive& archive);

    engine::Out<HomeMessage> messages;
    engine::Counter misses_to_memory, misses_to_cores, misses_to_table, misses_to_directory, redirected, owned_misses,
        remote_hits, remote_misses, remote_cycles, requests_received, served, served_hits, served_merged, served_misses,
        served_cycles, hits_of_old_owners, notes, sums, claims_sent, claims_heard, evictions_told, recalls,
        owner_changes;
    engine::Series claims;  // as claim_records() takes them, if they are recorded

  private:
    using Use = MshrShares::Use;
    using AnsweredBy = MshrShares::AnsweredBy;
    struct Flight {  // of an MSHR
        MemoryRequest request;
        engine::Time since = 0;
        Use use = Use::own;
        AnsweredBy answer = AnsweredBy::memory;
        bool is_kept = false;
        bool has_come = false;  // the line, before the L2 cache said from where
        bool spare[4] = {};
    };
    struct Request {  // of another core
        engine::Time arrival = 0;
        BlockNumber block = 0;
        std::uint32_t tile = 0;
        CoreNumber from = 0;
        std::uint8_t entry = 0;
        bool is_recent = false;  // a hit makes the line recent
        std::uint32_t spare = 0;
    };
    struct Waiter {
        engine::Time arrival = 0;
        CoreNumber core = 0;
        std::uint16_t entry = 0;
        std::uint32_t spare = 0;
    };
    struct Evicted {
        engine::Time at = 0;
        LineNumber line = 0;
        std::uint32_t spare = 0;
    };

    void say(HomeMessage message, engine::Time delay);
    void ask(engine::Time now, const MemoryRequest& request, const Route& route, engine::Time delay);
    void reply(engine::Time now, CoreNumber to, std::uint8_t entry, bool was_there, engine::Time arrival);
    bool serve(engine::Time now, Cache& cache);
    void ask_owned(engine::Time now);
    void count_access(engine::Time now);
    void begin_epoch(engine::Time now, std::uint32_t epoch);
    void hear(engine::Time now, const HomeMessage& message);
    bool is_recent(const HomeMessage& message);
    bool may_note(engine::Time now) const { return now >= note_free_; }

    MemoryPort& memory_;
    HomePolicy policy_;
    MshrShares shares_;
    std::vector<Flight> flights_;           // by MSHR of the cache
    RingQueue<Request> requests_;           // of other cores
    SlotPool<Waiter> waiters_;              // for lines on their way
    RingQueue<std::uint32_t> owned_;        // MSHRs whose owner is this core, as a table said; they wait for credits
    RingQueue<Evicted> evicted_;            // not yet told
    std::uint32_t accesses_ = 0;            // not yet told in a sum
    engine::Time note_free_ = 0, now_ = 0;  // now_: of the last access or line
    engine::Time served_at_ = -1;           // the cycle in which a request was looked up last
    bool refused_ = false;                  // the oldest request
    std::uint64_t changes_ = 0;             // of owners, counted before

    // Shape.
    CoreNumber core_;
    std::uint16_t agent_;  // or the first slice
    bool has_directory_, has_table_;
    bool sums_hits_;  // hits are in the sums of accesses, as nothing else tells of them
    std::uint32_t sum_accesses_;
    engine::Time period_, lookup_, note_time_;
    SliceMap slices_;
    bool records_claims_;
};

}  // namespace models
