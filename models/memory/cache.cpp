#include "models/memory/cache.h"

#include "models/base/laws.h"

namespace models {
namespace {

// For each set of sectors, those that are fetched with them: whole sectors of this cache.
std::array<SectorMask, 16> widened(std::uint32_t line, std::uint32_t sector) {
    std::array<SectorMask, 16> all{};
    const std::uint32_t count = line / sector_bytes, group = sector / sector_bytes;
    for (std::uint32_t mask = 0; mask < 16; ++mask)
        for (std::uint32_t i = 0; i < count; i += group) {
            const std::uint32_t whole = ((1U << group) - 1) << i;
            if ((mask & whole) != 0) all[mask] = static_cast<SectorMask>(all[mask] | whole);
        }
    return all;
}

}  // namespace

Cache::Cache(const engine::CounterScope& scope, const CacheShape& shape, const Site& site)
    : accesses(scope, "accesses", "1", "lookups that were served"),
      read_accesses(scope, "read_accesses", "1", "lookups that read their line, at once or when it came"),
      write_accesses(scope, "write_accesses", "1", "lookups that wrote their line, at once or when it came"),
      hits(scope, "hits", "1", "lookups that found what they asked for"),
      merged(scope, "merged", "1", "lookups that joined a line in flight"),
      misses(scope, "misses", "1", "lookups that requested a line"),
      allocations(scope, "allocations", "1", "writes of all that was absent: nothing had to be fetched"),
      passed_on(scope, "passed_on", "1", "writes that missed and were sent on, as the write policy says"),
      written_through(scope, "written_through", "1", "writes that hit and were sent on, too"),
      fills(scope, "fills", "1", "lines received"),
      refusals(scope, "refusals", "1", "lookups put off for lack of an MSHR, of room to wait or of a credit"),
      conflicts(scope, "bank_conflicts", "1", "lookups put off by a cycle, as their bank was busy"),
      invalidations(scope, "invalidations", "1", "lines forgotten because their memory was written"),
      dirtied(scope, "dirtied", "1", "lines that were written, and had not been before"),
      written_back(scope, "write_backs", "1", "written lines sent back, those written past the cache included"),
      written_around(scope, "written_around", "1", "lines written past the cache"),
      overwritten(scope, "overwritten", "1",
                  "written lines that need not be sent back, as they were written past the cache"),
      prefetches_wanted(scope, "prefetches_wanted", "1", "lines that a prefetcher wanted"),
      prefetches_dropped(scope, "prefetches_dropped", "1",
                         "lines wanted that were not requested: there already, out of memory, or no room to wait"),
      prefetches(scope, "prefetches", "1", "lines requested by the prefetcher"),
      prefetches_used(scope, "prefetches_used", "1", "lines prefetched that were accessed after they had come"),
      prefetches_late(scope, "prefetches_late", "1", "lines prefetched that were accessed before they had come"),
      prefetches_useless(scope, "prefetches_useless", "1", "lines prefetched that went without having been accessed"),
      prefetches_early(scope, "prefetches_early", "1", "useless ones that were missed soon after they had gone"),
      prefetches_polluting(scope, "prefetches_polluting", "1",
                           "misses of lines that had made room for a prefetch shortly before"),
      prefetches_carried(scope, "prefetches_carried", "1",
                         "lines prefetched in earlier frames that had not been accessed when this one began"),
      prefetches_left(scope, "prefetches_left", "1",
                      "lines prefetched that are there and have not been accessed at the end of the frame"),
      array_(shape.array),
      mshrs_(shape.mshrs, shape.targets),
      banks_(shape.banks),
      evictions_(shape.eviction_buffer),
      arrived_(shape.mshrs),
      prefetcher_(shape.prefetcher, shape.prefetch),
      wanted_(shape.prefetch.queue),
      gone_unused_(shape.array.sets * shape.array.ways),
      pushed_out_(shape.array.sets * shape.array.ways),
      exit_(&site.exit),
      home_(site.home),
      tag_(RequestTag::of(site.part)),
      client_(site.client),
      policy_(shape.write_policy),
      line_sectors_(static_cast<std::uint8_t>(shape.line_bytes / sector_bytes)),
      block_shift_(line_sectors_ == 4 ? 1 : 0),
      block_mask_(line_sectors_ == 4 ? 1 : 0),
      wide_(widened(shape.line_bytes, shape.sector_bytes)),
      bank_mask_(shape.banks - 1),
      ports_(shape.ports),
      latency_(shape.latency),
      miss_latency_(shape.miss_latency),
      fill_time_(shape.fill_time),
      observer_(CacheObserver::is_wanted(site.exit.observed())
                    ? std::make_unique<CacheObserver>(scope, site.exit.observed(), shape.mshrs)
                    : nullptr),
      has_prefetcher_(shape.prefetcher != 0),
      perfect_(shape.perfect),
      turns_(shape.array.stride),
      memory_blocks_(site.exit.memory_blocks()) {
    // The two lines of a block are in different sets, so that none pushes out the other.
    assert(line_sectors_ > 1 || (shape.array.sets > 1 && shape.mshrs > 1 && shape.eviction_buffer > 1));
}

// Both lines or none: what either might need is there, or the access is refused.
Cache::Outcome Cache::access_short_lines(engine::Time now, const Access& access) {
    const LineNumber first = 2 * access.block;
    const bool both = access.sectors == block_sectors;
    const bool can = mshrs_.room() >= 2 && exit_->can_send(access.block, 2) && evictions_.room() >= 2;
    bool all_hit = true;
    for (LineNumber i = 0; i < 2; ++i) {
        if ((access.sectors >> i & 1U) == 0) continue;
        all_hit &= access.kind == Kind::read && array_.find(first + i) != nullptr;
        if (!all_hit && (!can || !can_serve(first + i))) return refuse();
    }
    if (!both) return access_line(now, first + (access.sectors >> 1U), 1, access);
    const bool waits = access_line(now, first, 1, access) == Outcome::waiting;
    const bool waits_too = access_line(now, first + 1, 1, access) == Outcome::waiting;
    return waits && waits_too ? Outcome::waiting_both : waits || waits_too ? Outcome::waiting : Outcome::hit;
}

// A block is two lines of 32 bytes, of which one may be asked for.
Cache::Outcome Cache::hit_always(const Access& access) {
    const std::uint32_t lines = line_sectors_ == 1 && access.sectors == block_sectors ? 2 : 1;
    accesses += lines;
    (access.kind == Kind::read ? read_accesses : write_accesses) += lines;
    hits += lines;
    if (observer_) observer_->looked_up(access.block >> block_shift_, 0);
    return Outcome::hit;
}

bool Cache::can_serve(LineNumber line) const {
    const int entry = mshrs_.find(line, 1);
    return !is_being_evicted(line) && (entry < 0 || mshrs_.has_room_to_wait(entry));
}

Cache::Outcome Cache::refuse() {
    ++refusals;
    return Outcome::refused;
}

Cache::Outcome Cache::miss(engine::Time now, LineNumber line, SectorMask needed, const Access& access) {
    if (!evictions_.empty() && is_being_evicted(line)) return refuse();
    const bool is_write = access.kind != Kind::read;
    const bool joins = !is_write || policy_ != WritePolicy::write_through;
    if (const int entry = joins ? mshrs_.find(line, needed) : -1; entry >= 0) return join(entry, needed, access);
    if (is_write && policy_ != WritePolicy::write_back) {
        if (!pass_on(now, line, needed, access)) return refuse();
        ++accesses;
        ++passed_on;
        if (observer_) observer_->looked_up(access.block >> block_shift_, mshrs_.used());
        return Outcome::hit;
    }
    const bool whole = access.kind == Kind::write_line && bytes_of(access.sectors) >= bytes_of(needed);
    if (whole) return write_whole(line, needed, access);
    const bool may_come_apart = needed != wide_[1];  // more than what is fetched alone
    if (may_come_apart && comes_in_part(line, needed)) return join_parts(now, line, needed, access);
    return fetch(now, line, needed, access);
}

// Some of these sectors are in flight, or have come and wait for a place.
bool Cache::comes_in_part(LineNumber line, SectorMask needed) const {
    for (std::uint32_t entry = 0; entry < mshrs_.end(); ++entry)
        if (mshrs_.line(static_cast<int>(entry)) == line && (mshrs_[static_cast<int>(entry)].sectors & needed) != 0)
            return true;
    return false;
}

// What is not there is awaited where it is in flight, and the rest is fetched.
Cache::Outcome Cache::join_parts(engine::Time now, LineNumber line, SectorMask needed, const Access& access) {
    if (access.kind != Kind::read) return refuse();
    const CacheArray::Line* const there = array_.find(line);
    auto absent = static_cast<SectorMask>(there == nullptr ? needed : needed & ~there->valid);
    std::array<int, 2> parts{};
    std::size_t count_of_parts = 0;
    const auto for_parts = [&](bool arrived, auto&& visit) {
        for (int entry = 0; entry < static_cast<int>(mshrs_.end()); ++entry) {
            const bool is_part =
                mshrs_.line(entry) == line && mshrs_[entry].arrived == arrived && (mshrs_[entry].sectors & absent) != 0;
            if (!is_part) continue;
            if (!visit(entry)) return false;
            absent = static_cast<SectorMask>(absent & ~mshrs_[entry].sectors);
        }
        return true;
    };
    for_parts(true, [](int) { return true; });
    const bool has_room = for_parts(false, [&](int entry) {
        if (count_of_parts == parts.size() || !mshrs_.has_room_to_wait(entry)) return false;
        parts[count_of_parts++] = entry;
        return true;
    });
    const bool fetches = absent != 0;
    if (!has_room || (fetches && (count_of_parts == parts.size() || mshrs_.full() || !exit_->can_send(access.block))))
        return refuse();
    for (std::size_t i = 0; i < count_of_parts; ++i) {
        assert(!mshrs_[parts[i]].prefetch);  // which brings all sectors
        mshrs_.add_waiter(parts[i], access.waiter);
        note(CacheObservation::Result::joined);
    }
    if (fetches) {
        fetch(now, line, absent, access);
    } else {
        count(access);
        ++(count_of_parts > 0 ? merged : hits);
        if (observer_) observer_->looked_up(access.block >> block_shift_, mshrs_.used());
    }
    const std::size_t awaited = count_of_parts + (fetches ? 1 : 0);
    return awaited == 0 ? Outcome::hit : awaited == 1 ? Outcome::waiting : Outcome::waiting_both;
}

// The line is in flight, or has come and waits for a place.
Cache::Outcome Cache::join(int entry, SectorMask needed, const Access& access) {
    MshrTable::Entry& flight = mshrs_[entry];
    const bool waits = !flight.arrived;
    if (waits && !mshrs_.add_waiter(entry, access.waiter)) return refuse();
    if (access.kind != Kind::read) {
        flight.written = static_cast<SectorMask>(flight.written | needed);
        flight.client = static_cast<std::uint8_t>(access.client);
    }
    note(waits ? CacheObservation::Result::joined : CacheObservation::Result::hit, flight.prefetch);
    if (flight.prefetch) {
        flight.prefetch = false;
        ++(waits ? prefetches_late : prefetches_used);
    }
    count(access);
    ++(waits ? merged : hits);
    if (observer_) observer_->looked_up(access.block >> block_shift_, mshrs_.used());
    return waits ? Outcome::waiting : Outcome::hit;
}

Cache::Outcome Cache::fetch(engine::Time now, LineNumber line, SectorMask needed, const Access& access) {
    if (mshrs_.full() || !exit_->can_send(access.block)) return refuse();
    const CacheArray::Line* const there = array_.find(line);
    const auto absent = static_cast<SectorMask>(there == nullptr ? needed : needed & ~there->valid);
    MshrTable::Entry flight;
    flight.since = now;
    flight.sectors = needed;
    flight.written = access.kind == Kind::read ? SectorMask{0} : needed;
    flight.client = static_cast<std::uint8_t>(access.client);
    const int entry = mshrs_.allocate(line, flight);
    mshrs_.add_waiter(entry, access.waiter);
    count(access);
    ++misses;
    note(CacheObservation::Result::missed);
    if (gone_unused_.take(line)) {
        ++prefetches_early;
        seen_.evicted_early = true;
    }
    if (pushed_out_.take(line)) ++prefetches_polluting;
    MemoryRequest request = request_of(line, absent, MemoryOperation::read, access.client);
    request.tag = RequestTag::of(tag_.part, static_cast<std::size_t>(entry));
    request.attribution = access.attribution;
    exit_->send(now, request, miss_latency_);
    if (observer_) observer_->looked_up(access.block >> block_shift_, mshrs_.used());
    return Outcome::waiting;
}

// A line that is written whole takes its place at once.
Cache::Outcome Cache::write_whole(LineNumber line, SectorMask sectors, const Access& access) {
    if (evictions_.full()) return refuse();
    forget(line);
    install(line, sectors, sectors, static_cast<std::uint8_t>(access.client), false);
    count(access);
    ++allocations;
    if (observer_) observer_->looked_up(access.block >> block_shift_, mshrs_.used());
    return Outcome::hit;
}

bool Cache::write_hit(engine::Time now, CacheArray::Line& line, SectorMask sectors, const Access& access) {
    if (policy_ == WritePolicy::write_through) {
        if (!pass_on(now, line.number, sectors, access)) {
            ++refusals;
            return false;
        }
        ++written_through;
        return true;
    }
    make_dirty(line, sectors, static_cast<std::uint8_t>(access.client));
    return true;
}

// A write for what lies behind; done for who wrote.
bool Cache::pass_on(engine::Time now, LineNumber line, SectorMask sectors, const Access& access) {
    if (!exit_->can_send(access.block)) return false;
    const bool whole = access.kind == Kind::write_line;
    MemoryRequest request =
        request_of(line, sectors, whole ? MemoryOperation::write_line : MemoryOperation::write_part, access.client);
    if (line_sectors_ != 1) {
        request.block = access.block;
        request.sectors = access.sectors;
    }
    request.attribution = access.attribution;
    exit_->send(now, request, miss_latency_);
    ++writes_in_flight_;
    return true;
}

bool Cache::write_around(BlockNumber block, SectorMask sectors, MemoryClient client) {
    if (evictions_.full()) return false;
    const LineNumber number = block >> block_shift_;
    const auto written = static_cast<SectorMask>(sectors << (2 * (block & block_mask_)));
    if (CacheArray::Line* const line = array_.find(number); line != nullptr && !keeps(*line, written)) *line = {};
    return pass_by(block, sectors, client);
}

bool Cache::pass_by(BlockNumber block, SectorMask sectors, MemoryClient client) {
    if (evictions_.full()) return false;
    evictions_.push({block >> block_shift_, static_cast<SectorMask>(sectors << (2 * (block & block_mask_))), client});
    ++written_around;
    return true;
}

// These sectors of the line are old: those that are fetched with them go, too, but for those that were written and have
// to go back. False if nothing of the line is left.
bool Cache::keeps(CacheArray::Line& line, SectorMask written) {
    const auto dirty = static_cast<SectorMask>(line.dirty & ~written);
    if (line.dirty != 0 && dirty == 0) ++overwritten;
    line.dirty = dirty;
    line.valid = static_cast<SectorMask>((line.valid & ~wide_[written]) | dirty);
    if (line.valid != 0) return true;
    if (line.prefetched != 0) lose_prefetched();
    ++invalidations;
    return false;
}

bool Cache::is_being_evicted(LineNumber line) const {
    for (std::uint32_t i = evictions_.first_number(); i != evictions_.end_number(); ++i)
        if (evictions_.numbered(i).line == line) return true;
    return false;
}

std::span<const std::uint32_t> Cache::fill(engine::Time now, RequestTag tag) {
    assert(tag.part == tag_.part);
    if (home_ != nullptr) return fill_at_home(now, tag);
    const int entry = tag.entry;
    const LineNumber line = mshrs_.line(entry);
    ++fills;
    Bank& bank = banks_[bank_of(line_sectors_ == 1 ? line / 2 : line)];
    bank.free_at = std::max(bank.free_at, now) + fill_time_;
    if (observer_ && !mshrs_[entry].prefetch) observer_->filled(now - mshrs_[entry].since);
    const std::span<const std::uint32_t> waiters = mshrs_.arrive(entry);
    if (evictions_.full())
        arrived_.push(tag.entry);
    else
        install(entry);
    return waiters;
}

void Cache::install(int entry) {
    const MshrTable::Entry& flight = mshrs_[entry];
    install(mshrs_.line(entry), flight.sectors, flight.written, flight.client, flight.prefetch);
    mshrs_.release(entry);
}

// Needs room in the eviction buffer.
void Cache::install(LineNumber line, SectorMask valid, SectorMask dirty, std::uint8_t client, bool prefetched) {
    const CacheArray::Placed placed = array_.place(line);
    if (!placed.was_there) {
        const CacheArray::Line& old = placed.old;
        if (old.number != none && old.prefetched != 0) {
            lose_prefetched();
            gone_unused_.add(old.number);
        } else if (old.number != none && prefetched) {
            pushed_out_.add(old.number);
        }
        if (old.number != none && old.dirty != 0)
            evictions_.push({old.number, old.dirty, static_cast<MemoryClient>(old.client)});
        placed.line->prefetched = prefetched ? 1 : 0;
        unused_ += prefetched ? 1 : 0;
    }
    assert(!placed.was_there || !prefetched);
    placed.line->valid = static_cast<SectorMask>(placed.line->valid | valid);
    if (dirty != 0) make_dirty(*placed.line, dirty, client);
}

void Cache::make_dirty(CacheArray::Line& line, SectorMask sectors, std::uint8_t client) {
    if (line.dirty == 0) ++dirtied;
    line.dirty = static_cast<SectorMask>(line.dirty | sectors);
    line.client = client;
}

bool Cache::write_back(engine::Time now) {
    if (!arrived_.empty() && !evictions_.full()) {
        install(arrived_.front());
        arrived_.pop();
    }
    if (evictions_.empty()) {
        if (flush_.empty()) return false;
        evictions_.push(flush_.back());
        flush_.pop_back();
    }
    const Eviction& out = evictions_.front();
    if (!exit_->can_send(first_block(out.line))) return !arrived_.empty() && !evictions_.full();
    MemoryRequest request = request_of(out.line, out.sectors, MemoryOperation::write_line, out.client);
    exit_->send(now, request, miss_latency_);
    evictions_.pop();
    ++writes_in_flight_;
    ++written_back;
    return true;
}

void Cache::begin_flush() {
    assert(!awaits_lines());
    array_.invalidate([&](const CacheArray::Line& line) {
        if (line.dirty != 0) flush_.push_back({line.number, line.dirty, static_cast<MemoryClient>(line.client)});
        if (line.prefetched != 0) lose_prefetched();
        return true;
    });
    gone_unused_.clear();
    pushed_out_.clear();
}

MemoryRequest Cache::request_of(LineNumber line, SectorMask sectors, MemoryOperation operation,
                                MemoryClient client) const {
    MemoryRequest request;
    request.block = first_block(line);
    request.tag = tag_;
    request.operation = operation;
    request.client = client;
    request.sectors = line_sectors_ == 1 ? static_cast<SectorMask>(1U << (line & 1U)) : sectors;
    return request;
}

bool Cache::holds(BlockNumber block, SectorMask sectors) const {
    if (perfect_) return true;
    if (line_sectors_ == 1) {
        for (LineNumber i = 0; i < 2; ++i)
            if ((sectors >> i & 1U) != 0 && array_.find(2 * block + i) == nullptr) return false;
        return true;
    }
    const SectorMask needed = sectors_of(block, sectors);
    const CacheArray::Line* const line = array_.find(block >> block_shift_);
    return line != nullptr && (line->valid & needed) == needed;
}

std::uint32_t Cache::dirty_lines() const {
    std::uint32_t count = 0;
    array_.for_each([&](const CacheArray::Line& line) { count += line.dirty != 0 ? 1 : 0; });
    return count;
}

void Cache::add_laws(Laws& laws, const std::string& name) const {
    laws.equal(name + ": accesses = hits + merged + misses + allocations + writes passed on", {accesses},
               {hits, merged, misses, allocations, passed_on});
    laws.equal(name + ": accesses = those that read + those that wrote + writes passed on", {accesses},
               {read_accesses, write_accesses, passed_on});
    if (home_ != nullptr)
        add_home_laws(laws, name);
    else
        laws.equal(name + ": misses + prefetches = fills", {misses, prefetches}, {fills});
    laws.equal(name + ": prefetches wanted = requested + dropped", {prefetches_wanted},
               {prefetches, prefetches_dropped});
    laws.equal(name + ": prefetches, and those of earlier frames = used + late + useless + left",
               {prefetches, prefetches_carried},
               {prefetches_used, prefetches_late, prefetches_useless, prefetches_left});
}

void Cache::serialize(engine::Archive& archive) {
    archive(array_, mshrs_, banks_, evictions_, arrived_, flush_, writes_in_flight_, prefetcher_, wanted_, gone_unused_,
            pushed_out_, unused_, carried_);
    if (observer_) archive(*observer_);
}

}  // namespace models
