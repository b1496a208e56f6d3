// Distance prefetching with a global history buffer (Kandiraju and Sivasubramaniam, ISCA 2002; Nesbit and Smith, HPCA
// 2004, G/DC with one distance): the blocks that had to be brought lie in a ring, each with a link to the last one that
// came after the same distance. An index table says for a distance which is the newest one. What followed such a
// distance before is expected to follow it again: from each earlier occurrence, the newest first, the buffer is walked
// forward, and the distances found there are added up.
//
//     blocks brought    1  2  7  8            distances  1  5  1
//     the 8 comes after a 1, as the 2 did, which a 5 and a 1 followed: wanted are 8 + 5 and 8 + 5 + 1
//
// `history_degree` occurrences are looked at, so many distances of each, until as many blocks are wanted. The block
// itself is in the buffer by then, so that a run of equal distances is followed at once. The index table is
// direct-mapped by the low bits of the distance. A link is dead when what it names has left the buffer.
//
// It is trained in the order of lookups by misses, and by first accesses of lines that were prefetched: these would
// have been misses, and what is learnt shall not change with what was brought.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "engine/archive.h"
#include "models/prefetch/prefetch_queue.h"
#include "models/prefetch/prefetch_shape.h"

namespace models {

class History {
  public:
    static constexpr std::string_view name = "history";
    // Blocks are numbered from 1 in the order in which they came.
    using Number = std::uint64_t;
    static constexpr Number nothing = 0;

    explicit History(const PrefetchShape& shape)
        : blocks_(shape.history_entries, 0),
          links_(shape.history_entries, nothing),
          index_(shape.history_index),
          degree_(shape.history_degree) {}

    void observe(const CacheObservation& access, PrefetchQueue& requests) {
        if (!access.is_new()) return;
        const Number before = newest_;
        const BlockNumber distance = before == nothing ? 0 : access.block - block(before);
        push(access.block);
        if (before == nothing) return;
        Index& newest = index_[distance % index_.size()];
        const Number occurrence = newest.number != nothing && newest.distance == distance ? newest.number : nothing;
        newest = {newest_, distance};
        link(newest_) = occurrence;
        predict(occurrence, access, requests);
    }

    // The newest of the blocks, and what is known of one that is in the buffer.
    Number newest() const { return newest_; }
    bool is_there(Number number) const { return number != nothing && newest_ - number < blocks_.size(); }
    BlockNumber block(Number number) const { return blocks_[number % blocks_.size()]; }
    Number earlier(Number number) const {  // that came after the same distance
        const Number linked = links_[number % links_.size()];
        return is_there(linked) ? linked : nothing;
    }
    // The newest block that came after this distance; it may have left the buffer.
    Number indexed(BlockNumber distance) const {
        const Index& entry = index_[distance % index_.size()];
        return entry.distance == distance ? entry.number : nothing;
    }

    void serialize(engine::Archive& archive) { archive(blocks_, links_, index_, newest_); }

  private:
    struct Index {
        Number number = nothing;
        BlockNumber distance = 0;
        std::uint32_t spare = 0;
    };

    Number& link(Number number) { return links_[number % links_.size()]; }
    void push(BlockNumber block) {
        ++newest_;
        blocks_[newest_ % blocks_.size()] = block;
        link(newest_) = nothing;
    }
    void predict(Number occurrence, const CacheObservation& access, PrefetchQueue& requests) const {
        std::uint32_t found = 0;  // the first occurrence's are the beginning of the second one's, in a run
        for (std::uint32_t i = 0; i < degree_ && found < degree_ && is_there(occurrence); ++i) {
            const auto after = static_cast<std::uint32_t>(std::min<Number>(degree_, newest_ - occurrence));
            for (std::uint32_t step = found + 1; step <= after; ++step)
                requests.want(access.block + (block(occurrence + step) - block(occurrence)), access.attribution);
            found = std::max(found, after);
            occurrence = earlier(occurrence);
        }
    }

    std::vector<BlockNumber> blocks_;  // a ring: number n is at n modulo its size
    std::vector<Number> links_;
    std::vector<Index> index_;
    Number newest_ = nothing;
    std::uint32_t degree_;
};

}  // namespace models
