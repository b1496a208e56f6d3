// What a cache does for its prefetcher, and what becomes of the lines that it brings.
#include "models/memory/cache.h"

namespace models {

// Of an access of two lines, what took longer.
void Cache::note(CacheObservation::Result result, bool prefetched) {
    seen_.result = std::max(seen_.result, result);
    seen_.prefetched |= prefetched;
}

// Tells the prefetcher what was looked up, and requests what it wants.
void Cache::ask_prefetcher(engine::Time now, const Access& access) {
    seen_.block = own_number(access.block);
    seen_.attribution = access.attribution;
    seen_.now = now;
    prefetcher_.visit([&](auto& prefetcher) { prefetcher.observe(seen_, wanted_); });
    seen_ = {};
    const PrefetchQueue::Counts counts = wanted_.take_counts();
    prefetches_wanted += std::uint64_t{counts.wanted} * lines_of_block();
    prefetches_dropped += std::uint64_t{counts.dropped} * lines_of_block();
    for (; !wanted_.empty(); wanted_.pop()) {
        const PrefetchQueue::Wish& wish = wanted_.front();
        const std::uint64_t block = block_of(wish.block, access.block);
        if (block >= memory_blocks_)
            prefetches_dropped += lines_of_block();
        else if (bring(now, static_cast<BlockNumber>(block), wish.attribution, MemoryRequest::no_peer) ==
                 Prefetched::put_off)
            return;
    }
}

// The blocks of this cache one after the other: of a slice, the lines of others are left out.
BlockNumber Cache::own_number(BlockNumber block) const {
    return turns_.quotient(block >> block_shift_) << block_shift_ | (block & block_mask_);
}

// `near`: any block of this cache.
std::uint64_t Cache::block_of(BlockNumber own, BlockNumber near) const {
    const std::uint64_t line =
        std::uint64_t{own >> block_shift_} * turns_.value() + turns_.remainder(near >> block_shift_);
    return line << block_shift_ | (own & block_mask_);
}

Cache::Prefetched Cache::bring(engine::Time now, BlockNumber block, const Attribution& attribution,
                               std::uint16_t peer) {
    const std::uint32_t count = lines_of_block();
    const LineNumber first = line_sectors_ == 1 ? 2 * block : block >> block_shift_;
    std::uint32_t absent = 0;
    for (LineNumber line = first; line < first + count; ++line) absent += is_absent(line) ? 1 : 0;
    if (absent >= mshrs_.capacity()) absent = 0;  // it would never leave one for others
    if (absent > 0 && (mshrs_.room() <= absent || !exit_->can_send(first_block(first), static_cast<int>(absent))))
        return Prefetched::put_off;
    for (LineNumber line = first; line < first + count; ++line)
        if (absent > 0 && is_being_evicted(line)) return Prefetched::put_off;
    for (LineNumber line = first; line < first + count; ++line)
        if (absent > 0 && is_absent(line)) request_prefetch(now, line, attribution, peer);
    prefetches_dropped += count - absent;
    return absent > 0 ? Prefetched::requested : Prefetched::there;
}

bool Cache::is_absent(LineNumber line) const {
    return !perfect_ && array_.find(line) == nullptr && mshrs_.find(line, 0) < 0;
}

void Cache::request_prefetch(engine::Time now, LineNumber line, const Attribution& attribution, std::uint16_t peer) {
    forget(line);
    MshrTable::Entry flight;
    flight.since = now;
    flight.sectors = wide_[(1U << line_sectors_) - 1];
    flight.client = static_cast<std::uint8_t>(client_);
    flight.prefetch = true;
    flight.asks_peer = peer != MemoryRequest::no_peer;
    MemoryRequest request = request_of(line, flight.sectors, MemoryOperation::read, client_);
    request.tag = RequestTag::of(tag_.part, static_cast<std::size_t>(mshrs_.allocate(line, flight)));
    request.attribution = attribution;
    request.peer = peer;
    exit_->send(now, request, miss_latency_);
    ++prefetches;
}

// Nobody waits in a circle: a line that another cache may wait for is on its way from the L2 cache.
Cache::Shared Cache::share(engine::Time now, BlockNumber block, std::uint32_t waiter) {
    assert(line_sectors_ == 2);
    if (const CacheArray::Line* const line = array_.find(block); line != nullptr && line->valid == block_sectors) {
        if (take_port(now, block)) return Shared::there;
        ++conflicts;
        return Shared::busy;
    }
    const int entry = mshrs_.find(block, block_sectors);
    if (entry < 0 || mshrs_[entry].asks_peer) return Shared::absent;
    if (mshrs_[entry].arrived) return Shared::there;
    return mshrs_.add_waiter(entry, waiter) ? Shared::waiting : Shared::absent;
}

void Cache::use_prefetched(CacheArray::Line& line) {
    line.prefetched = 0;
    --unused_;
    ++prefetches_used;
    note(CacheObservation::Result::hit, true);
}

void Cache::lose_prefetched() {
    --unused_;
    ++prefetches_useless;
}

// It comes by another way than a miss.
void Cache::forget(LineNumber line) {
    gone_unused_.take(line);
    pushed_out_.take(line);
}

void Cache::end_frame() {
    for (; !wanted_.empty(); wanted_.pop()) prefetches_dropped += lines_of_block();
    prefetches_carried += carried_;
    prefetches_left += unused_;
    carried_ = unused_;
}

}  // namespace models
