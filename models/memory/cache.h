// The cache of every unit of the machine: texture, vertex, tile, pixel, depth, instruction caches and the slices of the
// L2 cache. A component: it knows time; misses, write-backs and writes that it does not keep leave by the exit that its
// host gives it, and the host hands it the answers.
//
// Non-blocking: lines in flight are held by MSHRs, in which later accesses join. Lines are given a place when their
// data come; what is pushed out and has been written waits in the eviction buffer until the exit takes it. When that
// buffer is full, data stay in their MSHR, and are found there. A miss of a line that is still in the eviction buffer
// is refused until the line has left, so that the two cannot change places on their way.
//
// Banks are neighbouring sets in turn, or neighbouring lines where there are fewer sets than banks. Each serves a
// number of accesses a cycle, and none while a fill is written into it. Units ask for sectors of blocks of 64 bytes:
// with lines of 32 bytes these may be two lines, with lines of 128 bytes half a line. Sectors of 32 or 64 bytes are
// fetched alone; without them a line is fetched whole. Sectors that are on their way are not fetched again for a read
// that wants others with them: it waits for these and for those. A partial write, or a read of what comes in more than
// two parts, is refused until they have come.
//
//     write policy    a write that hits       one that misses
//     write_back      the line is dirty       the line is fetched first, unless all of it is written
//     no_allocate     the line is dirty       goes to the exit
//     write_through   goes to the exit, too   goes to the exit
//
// A prefetcher may see all lookups that are served, and say which blocks it wants; they are requested at the next
// lookups, as long as there are an MSHR more than they need and credits. What became of them:
//
//     wanted     = dropped + requested             dropped: there already, on their way, out of memory, or no room
//     requested  = used + late + useless + left    late: accessed before they had come; left: not accessed yet
//
// Useless lines that were missed soon after they had gone came too early, and lines that a prefetch pushed out and that
// were missed soon after show that it pollutes. Soon: while they are among those remembered, as many as the cache has
// lines, in a table direct-mapped by a hash.
//
// A perfect cache is a bound to compare with: every access hits after the latency, once its bank is free. It keeps no
// line and sends nothing of its own, neither reads nor what is written to it, as if memory had everything at once.
// What is written past it still goes on its way.
//
// Not modelled: the data themselves, parity, bus errors. Prefetches look at tags by a port of their own (paper 000,
// section 3.3), which is never busy. Addresses are physical.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "engine/counter.h"
#include "models/memory/cache_observer.h"
#include "models/memory/cache_parameters.h"
#include "models/memory/memory_exit.h"
#include "models/prefetch/prefetcher.h"
#include "models/structures/cache_array.h"
#include "models/structures/mshr_table.h"
#include "models/structures/recent_lines.h"

namespace models {

class HomeExit;
class Laws;

class Cache {
  public:
    enum class Outcome : std::uint8_t {
        hit,
        waiting,       // for a line
        waiting_both,  // for two of 32 bytes, or for sectors of one that come apart: fill() returns the waiter twice
        refused,       // no MSHR, no room to wait, no credit: to be tried again after the next answer
        busy,          // its bank: to be tried again in the next cycle
    };
    // In names of waiters: a request of another core or cluster, which is no business of who has the cache.
    static constexpr std::uint32_t others_bit = 0x40000000U;
    // How often fill() will return the waiter.
    static constexpr std::uint16_t lines_awaited(Outcome outcome) {
        return outcome == Outcome::waiting ? 1 : outcome == Outcome::waiting_both ? 2 : 0;
    }
    static constexpr bool is_served(Outcome outcome) { return outcome < Outcome::refused; }

    enum class Kind : std::uint8_t {
        read,
        write_part,  // of the sectors: the rest of them is needed
        write_line,  // all of the sectors
    };
    struct Access {
        BlockNumber block;
        SectorMask sectors;
        Kind kind;
        MemoryClient client;
        std::uint32_t waiter;
        Attribution attribution;
    };

    // Where it sits: its exit, its number among the parts that share the exit, and whose data it holds.
    struct Site {
        MemoryExit& exit;
        int part;
        MemoryClient client;
        HomeExit* home = nullptr;  // the exit, of a texture cache that is one with those of other cores
    };
    Cache(const engine::CounterScope& scope, const CacheShape& shape, const Site& site);

    // hit: the data are there one latency() from now; a write is done. waiting: `waiter` is among those that fill()
    // returns.
    Outcome access(engine::Time now, const Access& access) {
        if (!take_port(now, access.block >> block_shift_)) {
            ++conflicts;
            return Outcome::busy;
        }
        if (perfect_) return hit_always(access);
        if (home_ != nullptr) return access_at_home(now, access);
        const Outcome outcome = line_sectors_ == 1 ? access_short_lines(now, access)
                                                   : access_line(now, access.block >> block_shift_,
                                                                 sectors_of(access.block, access.sectors), access);
        if (has_prefetcher_ && is_served(outcome)) ask_prefetcher(now, access);
        return outcome;
    }
    Outcome read(engine::Time now, BlockNumber block, std::uint32_t waiter, const Attribution& attribution,
                 SectorMask sectors = block_sectors) {
        return access(now, {block, sectors, Kind::read, client_, waiter, attribution});
    }
    // Of a part of a block.
    Outcome write(engine::Time now, BlockNumber block, std::uint32_t waiter, const Attribution& attribution) {
        return access(now, {block, block_sectors, Kind::write_part, client_, waiter, attribution});
    }
    enum class Prefetched : std::uint8_t {
        there,      // or on its way: nothing has to be done
        requested,  // at least a part of it
        put_off,    // no MSHR but one, no credit: to be tried again after the next answer
    };
    // Brings a block that nobody has asked for yet. Its tags are looked up by a port of their own, which takes none
    // from accesses.
    // What is not there is asked of this other cache, if one is named: lines of 64 bytes then (snoop_port.h).
    Prefetched prefetch(engine::Time now, BlockNumber block, const Attribution& attribution,
                        std::uint16_t peer = MemoryRequest::no_peer) {
        const Prefetched outcome = bring(now, block, attribution, peer);
        if (outcome != Prefetched::put_off) prefetches_wanted += lines_of_block();
        return outcome;
    }
    enum class Shared : std::uint8_t {
        there,    // can be read now
        waiting,  // for the line: `waiter` is among those that fill() returns
        absent,   // or on its way from another cache, or too many wait for it
        busy,     // its bank: to be tried again in the next cycle
    };
    // A lookup for a cache of another cluster that fetches ahead. Leaves recency alone, as tags are looked up by the
    // port of prefetches; data are read by the line's bank.
    Shared share(engine::Time now, BlockNumber block, std::uint32_t waiter);
    // A lookup for another core (cache_home.cpp): the line is to be sent to it, or `waiter` is among those that fill()
    // returns. makes_recent: a hit does.
    Outcome serve(engine::Time now, BlockNumber block, std::uint32_t waiter, bool makes_recent,
                  const Attribution& attribution);
    // The line is no longer to be here.
    void recall(LineNumber number);
    // This MSHR waits for this line.
    bool awaits(std::uint32_t entry, LineNumber line) const { return mshrs_.line(static_cast<int>(entry)) == line; }
    // Nothing is awaited: what became of the frame's prefetches is settled.
    void end_frame();
    // All of the sectors, for what lies behind the cache: what it has of them is old from now on. Leaves by the
    // eviction buffer. False if that is full.
    bool write_around(BlockNumber block, SectorMask sectors, MemoryClient client);
    // The same of sectors of which the cache has nothing that would be old: it is not looked up.
    bool pass_by(BlockNumber block, SectorMask sectors, MemoryClient client);

    // The answer to a read came. The waiters, valid until the next access.
    std::span<const std::uint32_t> fill(engine::Time now, RequestTag tag);

    // Makes room for data that wait for it, and sends one line that has to go back, if it can. True if there may be
    // more to do in the next cycle.
    bool write_back(engine::Time now);
    // Forgets all lines, and puts those that were written on their way back; done when is_clean(). Not while lines are
    // awaited.
    void begin_flush();
    bool awaits_lines() const { return !mshrs_.empty(); }
    bool is_clean() const { return evictions_.empty() && flush_.empty() && writes_in_flight_ == 0; }
    bool has_evictions() const { return !evictions_.empty(); }
    void on_written() { --writes_in_flight_; }

    engine::Time latency() const { return latency_; }
    // What can be had by one lookup of one line: a block, or half of one.
    std::uint32_t access_bytes() const { return line_sectors_ == 1 ? sector_bytes : block_bytes; }
    // What a write changes of a line comes here first, so it is known after it; else it is only if the line was there.
    bool fetches_for_writes() const { return policy_ == WritePolicy::write_back || perfect_; }
    std::string_view answered_by() const { return exit_->answered_by(); }
    bool is_idle() const { return mshrs_.empty() && is_clean(); }
    // What an access of these sectors of the block would find, without a trace of it.
    bool holds(BlockNumber block, SectorMask sectors = block_sectors) const;
    std::uint32_t dirty_lines() const;
    const CacheArray& array() const { return array_; }
    // visit(line) for the lines on their way here, or that have come and wait for a place; one in parts more than once.
    template <class Visitor>
    void for_each_awaited(Visitor&& visit) const {
        for (int entry = 0; entry < static_cast<int>(mshrs_.capacity()); ++entry)
            if (mshrs_.line(entry) != none && (home_ == nullptr || is_kept(entry))) visit(mshrs_.line(entry));
    }
    // The (first) line of the last lookup that was served, if anything is observed; else none.
    LineNumber last_looked_up() const {
        const LineNumber last = observer_ ? observer_->last() : none;
        return line_sectors_ == 1 && last != none ? 2 * last : last;
    }
    BlockNumber first_block(LineNumber line) const { return line_sectors_ == 1 ? line / 2 : line << block_shift_; }

    // Forgets lines of which predicate(block) holds for a block: their memory has been written by others.
    template <class Predicate>
    void invalidate(Predicate&& predicate) {
        const auto is_hit = [&](LineNumber line) {
            const BlockNumber first = first_block(line);
            return predicate(first) || (line_sectors_ == 4 && predicate(first + 1));
        };
        invalidations += array_.invalidate([&](const CacheArray::Line& line) {
            if (!is_hit(line.number)) return false;
            if (line.prefetched != 0) lose_prefetched();
            if (home_ != nullptr) say_gone(line.number);
            return true;
        });
        gone_unused_.remove_if(is_hit);
        pushed_out_.remove_if(is_hit);
    }
    // The same of blocks that were written past the cache: what else was written of their lines stays.
    template <class Predicate>
    void overwrite(Predicate&& predicate) {
        const SectorMask of_block = line_sectors_ == 1 ? 1 : block_sectors;
        array_.invalidate([&](CacheArray::Line& line) {
            SectorMask written = 0;
            for (BlockNumber i = 0; i <= block_mask_; ++i)
                if (predicate(first_block(line.number) + i))
                    written = static_cast<SectorMask>(written | of_block << 2 * i);
            return written != 0 && !keeps(line, written);
        });
    }
    // Those of so many blocks from this one on.
    void invalidate_range(BlockNumber first, std::uint32_t count) {
        invalidate([=](BlockNumber block) { return block - first < count; });
    }

    void add_laws(Laws& laws, const std::string& name) const;
    void serialize(engine::Archive& archive);

    engine::Counter accesses, read_accesses, write_accesses, hits, merged, misses, allocations, passed_on,
        written_through, fills, refusals, conflicts, invalidations, dirtied, written_back, written_around, overwritten;
    engine::Counter prefetches_wanted, prefetches_dropped, prefetches, prefetches_used, prefetches_late,
        prefetches_useless, prefetches_early, prefetches_polluting, prefetches_carried, prefetches_left;

  private:
    struct Bank {
        engine::Time cycle = -1;   // of the last access
        engine::Time free_at = 0;  // after a fill
        std::uint64_t used = 0;    // accesses in that cycle
    };
    struct Eviction {
        LineNumber line = none;
        SectorMask sectors = 0;
        MemoryClient client = MemoryClient::texture;
        std::uint8_t spare[2] = {};
    };

    // By the number among those of this cache, as it may be one of several that take turns, folded as for its set: of a
    // cache whose lines have all the same lowest bits (home.policy = "s_nuca") these alone would choose one bank.
    std::uint32_t bank_of(std::uint32_t place) const {
        return bank_mask_ == 0 ? 0 : array_.folded(turns_.quotient(place)) & bank_mask_;
    }
    // Of the bank of a line; two lines of 32 bytes that make a block are in one bank, which reads them together.
    bool take_port(engine::Time now, std::uint32_t place) {
        Bank& bank = banks_[bank_of(place)];
        if (bank.free_at > now) return false;
        if (bank.cycle != now) {
            bank.cycle = now;
            bank.used = 0;
        }
        if (bank.used == ports_) return false;
        ++bank.used;
        return true;
    }
    Outcome access_line(engine::Time now, LineNumber number, SectorMask needed, const Access& access) {
        CacheArray::Line* const line = array_.access(number);
        if (line == nullptr || (line->valid & needed) != needed) return miss(now, number, needed, access);
        if (access.kind != Kind::read && !write_hit(now, *line, needed, access)) return Outcome::refused;
        count(access);
        ++hits;
        if (line->prefetched != 0) use_prefetched(*line);
        if (observer_) observer_->looked_up(access.block >> block_shift_, mshrs_.used());
        return Outcome::hit;
    }
    Outcome access_short_lines(engine::Time now, const Access& access);
    Outcome access_at_home(engine::Time now, const Access& access);
    std::span<const std::uint32_t> fill_at_home(engine::Time now, RequestTag tag);
    void say_gone(LineNumber line) const;
    bool is_kept(int entry) const;
    void add_home_laws(Laws& laws, const std::string& name) const;
    Outcome hit_always(const Access& access);
    bool can_serve(LineNumber line) const;
    Outcome miss(engine::Time now, LineNumber line, SectorMask needed, const Access& access);
    Outcome join(int entry, SectorMask needed, const Access& access);
    bool comes_in_part(LineNumber line, SectorMask needed) const;
    Outcome join_parts(engine::Time now, LineNumber line, SectorMask needed, const Access& access);
    Outcome fetch(engine::Time now, LineNumber line, SectorMask needed, const Access& access);
    Outcome write_whole(LineNumber line, SectorMask sectors, const Access& access);
    bool write_hit(engine::Time now, CacheArray::Line& line, SectorMask sectors, const Access& access);
    bool pass_on(engine::Time now, LineNumber line, SectorMask sectors, const Access& access);
    Outcome refuse();
    // A lookup of a line that is served here.
    void count(const Access& access) {
        ++accesses;
        ++(access.kind == Kind::read ? read_accesses : write_accesses);
    }
    void note(CacheObservation::Result result, bool prefetched = false);
    void ask_prefetcher(engine::Time now, const Access& access);
    Prefetched bring(engine::Time now, BlockNumber block, const Attribution& attribution, std::uint16_t peer);
    bool is_absent(LineNumber line) const;
    void request_prefetch(engine::Time now, LineNumber line, const Attribution& attribution, std::uint16_t peer);
    void use_prefetched(CacheArray::Line& line);
    void lose_prefetched();
    void forget(LineNumber line);
    std::uint32_t lines_of_block() const { return line_sectors_ == 1 ? 2 : 1; }
    BlockNumber own_number(BlockNumber block) const;
    std::uint64_t block_of(BlockNumber own, BlockNumber near) const;
    bool is_being_evicted(LineNumber line) const;
    bool keeps(CacheArray::Line& line, SectorMask written);
    void install(LineNumber line, SectorMask valid, SectorMask dirty, std::uint8_t client, bool prefetched);
    void install(int entry);
    void make_dirty(CacheArray::Line& line, SectorMask sectors, std::uint8_t client);
    // The sectors of the line that are needed for these of a block.
    SectorMask sectors_of(BlockNumber block, SectorMask sectors) const {
        return wide_[static_cast<std::size_t>(sectors) << (2 * (block & block_mask_))];
    }
    MemoryRequest request_of(LineNumber line, SectorMask sectors, MemoryOperation operation, MemoryClient client) const;

    CacheArray array_;
    MshrTable mshrs_;
    std::vector<Bank> banks_;
    RingQueue<Eviction> evictions_;
    RingQueue<std::uint16_t> arrived_;  // MSHRs whose data wait for room in the eviction buffer
    std::vector<Eviction> flush_;       // written lines that are still to go back, last first
    std::uint32_t writes_in_flight_ = 0;
    Prefetcher prefetcher_;
    PrefetchQueue wanted_;       // by the prefetcher, in the cache's own numbers
    CacheObservation seen_;      // of the lookup under way
    RecentLines gone_unused_;    // lines prefetched that were pushed out before they were accessed
    RecentLines pushed_out_;     // lines that made room for a prefetch
    std::uint32_t unused_ = 0;   // lines that are there, were prefetched and not accessed
    std::uint32_t carried_ = 0;  // those at the end of the last frame

    MemoryExit* exit_;
    HomeExit* home_;
    RequestTag tag_;
    MemoryClient client_;
    WritePolicy policy_;
    std::uint8_t line_sectors_;
    std::uint8_t block_shift_, block_mask_;  // a line of 128 bytes is two blocks
    std::array<SectorMask, 16> wide_;        // of sectors: those that are fetched together with them
    std::uint32_t bank_mask_, ports_;
    engine::Time latency_, miss_latency_, fill_time_;
    std::unique_ptr<CacheObserver> observer_;  // null: nothing is observed
    bool has_prefetcher_, perfect_;
    Divisor turns_;  // slices that take turns
    BlockNumber memory_blocks_;
};

}  // namespace models
