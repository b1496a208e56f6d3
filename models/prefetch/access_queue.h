// The prefetch queue of decoupled access/execute (paper 000, sections 3.3 and 3.4): blocks that quads which wait for
// their core will access, in the order of the quads, each with the cache that it is for. A circular buffer of plain
// data, which knows neither time nor ports.
//
//     push ──▶ | waits to be sent | sent, its cache has not looked for it yet | looked for: may be written over |
//
// Source: the other cache that is likely to hold the block when its own has not, which is the one that the latest entry
// for the same block was for. Entries whose cache has looked are compared, too, until they are written over; of the
// block's number some low bits are, so a prediction may be wrong, as it is when the other cache has lost the block.
#pragma once

#include <cassert>
#include <cstdint>
#include <vector>

#include "engine/archive.h"
#include "engine/units.h"
#include "models/frame_trace/memory.h"

namespace models {

class AccessQueue {
  public:
    static constexpr std::uint16_t no_cache = 0xffff;  // as PrefetchBlock::no_source
    struct Shape {
        std::size_t entries = 16;
        std::uint32_t compared_bits = 8;  // of a block's number, 1 to 32
        bool compares_old = true;         // entries whose cache has looked
    };
    struct Entry {
        BlockNumber block = 0;
        std::uint32_t quad = 0;             // in Frame::quads
        std::uint16_t program_counter = 0;  // of the texture instruction
        std::uint16_t cache = 0;            // number of the cache that it is for
        std::uint16_t source = no_cache;    // that may hold the block, too
        std::uint16_t spare = 0;
    };

    explicit AccessQueue(const Shape& shape)
        : entries_(shape.entries),
          compared_(shape.compared_bits >= 32 ? ~BlockNumber{0} : (BlockNumber{1} << shape.compared_bits) - 1),
          compares_old_(shape.compares_old) {}

    bool full() const { return pushed_ - looked_for_ == entries_.size(); }
    bool is_idle() const { return pushed_ == looked_for_; }
    // Some wait to be sent.
    bool has_next() const { return sent_ != pushed_; }

    // Returns it with its source.
    const Entry& push(Entry entry) {
        assert(!full());
        entry.source = find_source(entry);
        return entries_[pushed_++ % entries_.size()] = entry;
    }
    // The oldest that has not been sent, which is sent.
    const Entry& send() {
        assert(has_next());
        return entries_[sent_++ % entries_.size()];
    }
    // Caches have looked for so many more of those that were sent.
    void looked_for(std::uint32_t count) {
        looked_for_ += count;
        assert(looked_for_ <= sent_);
    }

    void serialize(engine::Archive& archive) { archive(entries_, pushed_, sent_, looked_for_); }

  private:
    // Of an entry that is not in the queue yet; no_cache: the L2 cache has to be asked.
    std::uint16_t find_source(const Entry& entry) const {
        const std::uint64_t oldest = pushed_ < entries_.size() ? 0 : pushed_ - entries_.size();
        const std::uint64_t first = compares_old_ ? oldest : looked_for_;
        for (std::uint64_t n = pushed_; n-- > first;) {
            const Entry& other = entries_[n % entries_.size()];
            if (((other.block ^ entry.block) & compared_) == 0 && other.cache != entry.cache) return other.cache;
        }
        return no_cache;
    }

    std::vector<Entry> entries_;                            // entry n in entries_[n % entries]
    std::uint64_t pushed_ = 0, sent_ = 0, looked_for_ = 0;  // so many, ever
    BlockNumber compared_;                                  // mask
    bool compares_old_;
};

}  // namespace models
