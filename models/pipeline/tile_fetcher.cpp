#include "models/pipeline/tile_fetcher.h"

#include <algorithm>

namespace models {

using engine::Time;

TileFetcher::TileFetcher(const engine::CounterScope& scope, const std::string& prefix, int number,
                         const TilingParameters& parameters, const Workload& workload, Cache& cache)
    : primitives(scope, prefix + "tile_primitives", "1", "primitives read, once for each tile that lists them"),
      chunks_read(scope, prefix + "list_chunks", "1", "lines of tile lists read"),
      workload_(workload),
      cache_(&cache),
      number_(static_cast<std::uint32_t>(number)),
      items_(static_cast<std::size_t>(parameters.triangle_queue())) {
    assert(number < most_fetchers);
}

void TileFetcher::begin_tile(std::uint32_t pass, std::uint32_t tile) {
    assert(wants_tile());
    pass_ = pass;
    tile_ = tile;
    const PolygonLists& lists = workload_.lists(pass);
    entry_ = lists.first_entry[tile];
    entries_end_ = lists.first_entry[tile + 1];
    chunk_ = chunks_requested_ = 0;
    entries_of_chunk_ = lists.entries_per_chunk;
    first_chunk_ = lists.first_chunk[tile];
    chunks_ = lists.first_chunk[tile + 1] - first_chunk_;
    next_quad_ = workload_.frame().tiles[workload_.frame().passes[pass].first_tile + tile].first_quad;
    buffers_ = {};
    phase_ = entry_ < entries_end_ ? Phase::list : Phase::end;
}

bool TileFetcher::step(Time now) {
    if (refused_) return false;
    busy_ = false;
    const bool queued = queue_item(now);
    // A lookup that was not served was that of the cycle, and what it waits for has to be kept.
    const bool looked_up = request_record(now) || (!refused_ && !busy_ && request_chunk(now));
    return queued || looked_up || busy_;
}

// The next item, if there is room and its list entry has been read.
bool TileFetcher::queue_item(Time now) {
    if (phase_ == Phase::idle || items_.full()) return false;
    if (!items_.empty() && items_.back().next != items_.back().end) return false;
    Item item;
    if (phase_ == Phase::list) {
        const Chunk& read = buffers_[chunk_ & 1U];
        if (chunk_ == chunks_requested_ || read.waiting != 0 || read.ready_at > now) return false;
        const PolygonLists& lists = workload_.lists(pass_);
        const std::uint32_t position = lists.entries[entry_];
        item.primitive = lists.primitives[position];
        item.first_quad = next_quad_;
        item.quads_end = next_quad_ = lists.quads_end[entry_];
        item.next = static_cast<BlockNumber>(lists.records[position] / block_bytes);
        item.end = static_cast<BlockNumber>((lists.records[position + 1] + block_bytes - 1) / block_bytes);
        ++primitives;
        if (++entry_ == entries_end_) phase_ = Phase::end;
        if (--entries_of_chunk_ == 0) {
            entries_of_chunk_ = lists.entries_per_chunk;
            ++chunk_;
        }
    } else {
        phase_ = Phase::idle;
    }
    items_.push(item);
    return true;
}

bool TileFetcher::request_record(Time now) {
    if (items_.empty() || items_.back().next == items_.back().end) return false;
    Item& item = items_.back();
    std::uint32_t waiting = 0;
    const std::uint32_t waiter = (items_.end_number() - 1) & ~(chunk_bit | fetcher_bit);
    if (!look_up(now, item.next, waiter, item.ready_at, waiting)) return false;
    item.outstanding += waiting;
    ++item.next;
    return true;
}

// The chunk being read, and the one after it.
bool TileFetcher::request_chunk(Time now) {
    if (phase_ != Phase::list || chunks_requested_ == chunks_ || chunks_requested_ > chunk_ + 1) return false;
    Chunk chunk;
    const std::uint32_t parity = chunks_requested_ & 1U;
    std::uint32_t waiting = 0;
    const BlockNumber block = workload_.lists(pass_).chunks[first_chunk_ + chunks_requested_];
    if (!look_up(now, block, chunk_bit | parity, chunk.ready_at, waiting)) return false;
    chunk.waiting = waiting;
    buffers_[parity] = chunk;
    ++chunks_requested_;
    ++chunks_read;
    return true;
}

// True if it was served.
bool TileFetcher::look_up(Time now, BlockNumber block, std::uint32_t waiter, Time& ready_at, std::uint32_t& waiting) {
    Attribution attribution;
    attribution.tile = workload_.frame().passes[pass_].first_tile + tile_;
    const auto outcome = cache_->read(now, block, waiter | number_ * fetcher_bit, attribution);
    refused_ = outcome == Cache::Outcome::refused;
    busy_ |= outcome == Cache::Outcome::busy;
    if (!Cache::is_served(outcome)) return false;
    waiting = Cache::lines_awaited(outcome);
    ready_at = std::max(ready_at, now + cache_->latency());
    return true;
}

Time TileFetcher::next_event(Time now) const {
    Time next = engine::never;
    if (!items_.empty() && items_.front().ready_at > now) next = items_.front().ready_at;
    for (const Chunk& chunk : buffers_)
        if (chunk.waiting == 0 && chunk.ready_at > now) next = std::min(next, chunk.ready_at);
    return next;
}

void TileFetcher::fill(std::uint32_t waiter) {
    if ((waiter & chunk_bit) != 0)
        --buffers_[waiter & 1U].waiting;
    else
        --items_.numbered(waiter & ~fetcher_bit).outstanding;
}

void TileFetcher::serialize(engine::Archive& archive) {
    archive(items_, phase_, pass_, tile_, entry_, entries_end_, chunk_, entries_of_chunk_, first_chunk_, chunks_,
            chunks_requested_, next_quad_, buffers_, refused_);
}

}  // namespace models
