#include "models/tile_fetcher.h"

#include <algorithm>

namespace models {
namespace {

constexpr std::uint32_t chunk_waiter = 0x80000000U;  // | last bit of the chunk's number; else the number of the item

}  // namespace

using engine::Time;

TileFetcher::TileFetcher(const engine::CounterScope& scope, const TilingParameters& parameters, LineCache& cache)
    : cache_(&cache),
      items_(static_cast<std::size_t>(parameters.triangle_queue())),
      primitives_(scope, "tile_primitives", "1", "primitives read, once for each tile that lists them"),
      chunks_read_(scope, "list_chunks", "1", "lines of tile lists read") {}

void TileFetcher::begin_pass(const PolygonLists& lists, std::uint32_t first_tile) {
    lists_ = &lists;
    first_tile_ = first_tile;
    at_ = 0;
    begin_tile();
}

void TileFetcher::begin_tile() {
    phase_ = Phase::begin;
    entry_ = 0;
    chunks_requested_ = 0;
    chunks_ = {};
}

bool TileFetcher::step(Time now) {
    if (lists_ == nullptr || refused_) return false;
    const bool queued = queue_item(now);
    const bool looked_up = request_record(now) || request_chunk(now);
    return queued || looked_up;
}

// The next item, if there is room and its list entry has been read.
bool TileFetcher::queue_item(Time now) {
    if (at_ == lists_->order.size() || items_.full()) return false;
    if (!items_.empty() && items_.back().next != items_.back().end) return false;
    const std::uint32_t tile = lists_->order[at_];
    const std::uint32_t length = lists_->first_entry[tile + 1] - lists_->first_entry[tile];
    Item item;
    item.tile = tile;
    if (phase_ == Phase::begin) {
        phase_ = length > 0 ? Phase::list : Phase::end;
    } else if (phase_ == Phase::list) {
        const std::uint32_t chunk = entry_ / lists_->entries_per_chunk;
        if (chunk >= chunks_requested_ || chunks_[chunk & 1U].waiting || chunks_[chunk & 1U].ready_at > now)
            return false;
        const std::uint32_t position = lists_->entries[lists_->first_entry[tile] + entry_];
        item.kind = Kind::primitive;
        item.primitive = lists_->primitives[position];
        item.next = static_cast<BlockNumber>(lists_->records[position] / block_bytes);
        item.end = static_cast<BlockNumber>((lists_->records[position + 1] + block_bytes - 1) / block_bytes);
        ++primitives_;
        if (++entry_ == length) phase_ = Phase::end;
    } else {
        item.kind = Kind::tile_end;
        item.last_of_pass = ++at_ == lists_->order.size();
        begin_tile();
    }
    items_.push(item);
    return true;
}

bool TileFetcher::request_record(Time now) {
    if (items_.empty() || items_.back().next == items_.back().end) return false;
    Item& item = items_.back();
    bool waiting = false;
    const std::uint32_t waiter = (items_.end_number() - 1) & ~chunk_waiter;
    if (!look_up(now, item.next, waiter, item.ready_at, waiting)) return false;
    if (waiting) ++item.outstanding;
    ++item.next;
    return true;
}

// The chunk being read, and the one after it.
bool TileFetcher::request_chunk(Time now) {
    if (at_ == lists_->order.size()) return false;
    const std::uint32_t tile = lists_->order[at_];
    const std::uint32_t count = lists_->first_chunk[tile + 1] - lists_->first_chunk[tile];
    if (chunks_requested_ == count || chunks_requested_ > entry_ / lists_->entries_per_chunk + 1) return false;
    Chunk chunk;
    const std::uint32_t parity = chunks_requested_ & 1U;
    if (!look_up(now, lists_->chunks[lists_->first_chunk[tile] + chunks_requested_], chunk_waiter | parity,
                 chunk.ready_at, chunk.waiting))
        return false;
    chunks_[parity] = chunk;
    ++chunks_requested_;
    ++chunks_read_;
    return true;
}

bool TileFetcher::look_up(Time now, BlockNumber block, std::uint32_t waiter, Time& ready_at, bool& waiting) {
    Attribution attribution;
    if (at_ < lists_->order.size()) attribution.tile = first_tile_ + lists_->order[at_];
    const auto outcome = cache_->read(now, block, waiter, attribution);
    if (outcome == LineCache::Outcome::refused) {
        refused_ = true;
        return false;
    }
    waiting = outcome == LineCache::Outcome::waiting;
    ready_at = std::max(ready_at, now + cache_->latency());
    return true;
}

Time TileFetcher::next_event(Time now) const {
    Time next = engine::never;
    if (!items_.empty() && items_.front().ready_at > now) next = items_.front().ready_at;
    for (const Chunk& chunk : chunks_)
        if (!chunk.waiting && chunk.ready_at > now) next = std::min(next, chunk.ready_at);
    return next;
}

void TileFetcher::fill(std::uint32_t waiter) {
    if ((waiter & chunk_waiter) != 0)
        chunks_[waiter & 1U].waiting = false;
    else
        --items_.numbered(waiter).outstanding;
}

}  // namespace models
