// The prefetch queue of decoupled access/execute (paper 000, section 3.3): blocks that quads which wait for their core
// will access, in the order of the quads, each with the cache that it is for. A circular buffer of plain data, which
// knows neither time nor ports.
//
//     push ──▶ | waits to be sent | sent, its cache has not looked for it yet | looked for: may be written over |
//
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
    struct Entry {
        BlockNumber block = 0;
        std::uint32_t quad = 0;             // in Frame::quads
        std::uint16_t program_counter = 0;  // of the texture instruction
        std::uint16_t cache = 0;            // number of the cache that it is for
    };

    explicit AccessQueue(std::size_t capacity) : entries_(capacity) {}

    bool full() const { return pushed_ - looked_for_ == entries_.size(); }
    bool is_idle() const { return pushed_ == looked_for_; }
    // Some wait to be sent.
    bool has_next() const { return sent_ != pushed_; }

    void push(const Entry& entry) {
        assert(!full());
        entries_[pushed_++ % entries_.size()] = entry;
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
    std::vector<Entry> entries_;                            // entry n in entries_[n % capacity]
    std::uint64_t pushed_ = 0, sent_ = 0, looked_for_ = 0;  // so many, ever
};

}  // namespace models
