// A texture cache that is one with those of other cores: lines of 64 bytes, which are only read. Its exit knows where
// lines are asked for, whether they are kept, and which hits make them recent.
#include "models/memory/home_exit.h"

namespace models {

Cache::Outcome Cache::access_at_home(engine::Time now, const Access& access) {
    assert(access.kind == Kind::read);
    const LineNumber number = access.block;
    if (CacheArray::Line* const line = array_.find(number); line != nullptr) {
        if (home_->hit(now, number))
            array_.touch(line);
        else
            ++home_->hits_of_old_owners;
        count(access);
        ++hits;
        if (observer_) observer_->looked_up(number, mshrs_.used());
        return Outcome::hit;
    }
    const int entry = mshrs_.find(number, block_sectors);
    if (entry < 0) return fetch(now, number, block_sectors, access);
    const Outcome outcome = join(entry, block_sectors, access);
    if (is_served(outcome)) home_->hit(now, number);
    return outcome;
}

Cache::Outcome Cache::serve(engine::Time now, BlockNumber block, std::uint32_t waiter, bool makes_recent,
                            const Attribution& attribution) {
    if (!take_port(now, block)) {
        ++conflicts;
        return Outcome::busy;
    }
    if (CacheArray::Line* const line = array_.find(block); line != nullptr) {
        if (makes_recent) array_.touch(line);
        ++home_->served_hits;
        return Outcome::hit;
    }
    for (std::uint32_t entry = 0; entry < mshrs_.capacity(); ++entry) {
        if (!awaits(entry, block) || !home_->may_join(entry)) continue;
        if (!mshrs_.add_waiter(static_cast<int>(entry), waiter)) return refuse();
        ++home_->served_merged;
        return Outcome::waiting;
    }
    if (mshrs_.full() || !home_->can_ask_for_others(block)) return refuse();
    MshrTable::Entry flight;
    flight.since = now;
    flight.sectors = block_sectors;
    flight.client = static_cast<std::uint8_t>(client_);
    const int entry = mshrs_.allocate(block, flight);
    mshrs_.add_waiter(entry, waiter);
    MemoryRequest request = request_of(block, block_sectors, MemoryOperation::read, client_);
    request.tag = RequestTag::of(tag_.part, static_cast<std::size_t>(entry));
    request.attribution = attribution;
    home_->ask_for_others(now, request);
    ++home_->served_misses;
    return Outcome::waiting;
}

std::span<const std::uint32_t> Cache::fill_at_home(engine::Time now, RequestTag tag) {
    const int entry = tag.entry;
    const LineNumber number = mshrs_.line(entry);
    ++fills;
    if (observer_) observer_->filled(now - mshrs_[entry].since);
    const std::span<const std::uint32_t> waiters = mshrs_.arrive(entry);
    if (home_->take_line(now, tag.entry)) {
        Bank& bank = banks_[bank_of(number)];
        bank.free_at = std::max(bank.free_at, now) + fill_time_;
        const CacheArray::Placed placed = array_.place(number);
        placed.line->valid = block_sectors;
        if (placed.old.number != none) home_->gone(placed.old.number);
    }
    mshrs_.release(entry);
    return waiters;
}

void Cache::recall(LineNumber number) {
    array_.invalidate([number](const CacheArray::Line& line) { return line.number == number; });
}

void Cache::say_gone(LineNumber number) const {
    home_->gone(number);
}

bool Cache::is_kept(int entry) const {
    return home_->is_kept(static_cast<std::uint32_t>(entry));
}

void Cache::add_home_laws(Laws& laws, const std::string& name) const {
    laws.equal(name + ": misses + misses of other cores = fills", {misses, home_->served_misses}, {fills});
}

}  // namespace models
