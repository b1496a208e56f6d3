// The polygon-list builder: writes primitives and the tiles' lists of primitives into the parameter buffer, through the
// L2 cache. A line of primitives is written when it is full; lines of lists are collected in a small buffer and written
// when they are full or pushed out. One line of a primitive or one list entry a cycle. A component.
#pragma once

#include <vector>

#include "models/memory/memory_port.h"
#include "models/structures/ring_queue.h"
#include "models/workload/workload.h"

namespace models {

class ListBuilder {
  public:
    // `triangle_queue`: entries; `part`: its number among those that share the memory port.
    ListBuilder(const engine::CounterScope& scope, const TilingParameters& parameters, int triangle_queue,
                const Workload& workload, MemoryPort& memory, int part, engine::Time period);

    void begin_pass(std::uint32_t pass);
    bool has_room() const { return !queue_.full(); }
    void push(std::uint32_t position) { queue_.push(position); }  // in PolygonLists::primitives

    // One cycle; `draining`: no further primitive comes in this pass. True if something happened.
    bool step(engine::Time now, bool draining);
    void on_written() { --in_flight_; }
    bool is_empty() const { return queue_.empty(); }

    // Everything that was pushed has been sent (after steps with `draining`), or is in memory.
    bool all_sent() const { return queue_.empty() && lines_.empty() && !tail_; }
    bool drained() const { return all_sent() && in_flight_ == 0; }

    void serialize(engine::Archive& archive);

    engine::Counter primitives, list_entries, whole_lines, part_lines;

  private:
    struct ListLine {
        BlockNumber block = none;
        std::uint32_t entries = 0;
    };
    bool write_record(engine::Time now, std::uint32_t position);
    bool write_entry(engine::Time now, std::uint32_t position);
    bool drain(engine::Time now);
    bool write(engine::Time now, BlockNumber block, bool whole);

    const Workload& workload_;
    MemoryPort* memory_;
    RequestTag tag_;
    std::size_t most_lines_;
    engine::Time period_;

    RingQueue<std::uint32_t> queue_;
    std::uint32_t pass_ = 0;
    BlockNumber record_line_ = 0;         // the first that has not been written
    bool tail_ = false;                   // a line of primitives is partly filled
    bool binning_ = false;                // the record of the primitive at the head is done, its list entries are not
    std::uint32_t bin_ = 0;               // its next entry, in PolygonLists::tiles_of
    std::vector<std::uint32_t> lengths_;  // of the lists, by tile
    std::vector<ListLine> lines_;         // collected, most recently used last
    std::uint32_t in_flight_ = 0;
};

}  // namespace models
