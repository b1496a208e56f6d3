// Stride prefetching: a table by program counter with the last block, the distance from the one before, and how far
// that is trusted (Fu, Patel and Janssens, MICRO 1992; the states are those of the reference prediction table of Chen
// and Baer, IEEE Transactions on Computers 1995, which fill the 98 bits of an entry of paper 000: 32 of the program
// counter, 32 of the block, 32 of the stride and 2).
//
//     state          as predicted      otherwise
//     initial        steady            transient, the stride is the new one
//     transient      steady            irregular, the stride is the new one
//     steady         steady            initial, the stride stays
//     irregular      transient         irregular, the stride is the new one
//
// In the steady state the next blocks are wanted. Another access to the same block says nothing about the stride. Units
// that have no program counter share one entry.
#pragma once

#include <string_view>

#include "engine/archive.h"
#include "models/prefetch/prefetch_queue.h"
#include "models/prefetch/prefetch_shape.h"
#include "models/prefetch/recency_table.h"

namespace models {

class Stride {
  public:
    static constexpr std::string_view name = "stride";
    enum class State : std::uint32_t { initial, transient, steady, irregular };
    struct Entry {
        BlockNumber last = 0, stride = 0;  // modulo 2^32, as blocks are
        State state = State::initial;
        friend bool operator==(const Entry&, const Entry&) = default;
    };

    explicit Stride(const PrefetchShape& shape) : table_(shape.stride_entries), degree_(shape.stride_degree) {}

    void observe(const CacheObservation& access, PrefetchQueue& requests) {
        const std::uint16_t counter = access.attribution.program_counter;
        Entry* const entry = table_.use(counter);
        if (entry == nullptr) {
            table_.insert(counter, {access.block, 0, State::initial});
            return;
        }
        if (access.block == entry->last) return;
        learn(*entry, access.block - entry->last);
        entry->last = access.block;
        if (entry->state != State::steady) return;
        for (std::uint32_t i = 1; i <= degree_; ++i)
            requests.want(access.block + i * entry->stride, access.attribution);
    }

    const Entry* entry(std::uint16_t program_counter) const { return table_.find(program_counter); }

    void serialize(engine::Archive& archive) { archive(table_); }

  private:
    static void learn(Entry& entry, BlockNumber stride) {
        const State before = entry.state;
        if (stride == entry.stride) {
            entry.state = before == State::irregular ? State::transient : State::steady;
            return;
        }
        entry.state = before == State::initial  ? State::transient
                      : before == State::steady ? State::initial
                                                : State::irregular;
        if (before != State::steady) entry.stride = stride;
    }

    RecencyTable<std::uint16_t, Entry> table_;  // by program counter
    std::uint32_t degree_;
};

}  // namespace models
