// The polygon-list builder: writes primitives and the tiles' lists of primitives into the parameter buffer, through the
// L2 cache. A line of primitives is written when it is full; lines of lists are collected in a small buffer and written
// when they are full or pushed out. One line of a primitive or one list entry a cycle. Not a process: a member of the
// geometry process.
#pragma once

#include <vector>

#include "models/memory_port.h"
#include "models/polygon_lists.h"
#include "models/ring_queue.h"
#include "models/workload.h"

namespace models {

class PolygonListBuilder {
  public:
    // `client`: its number among the clients of the memory port.
    PolygonListBuilder(engine::CounterList* counters, const MachineParameters& parameters, const Workload& workload,
                       MemoryPort& memory, int client);

    void begin_pass(std::uint32_t pass);
    bool has_room() const { return !queue_.full(); }
    void push(std::uint32_t position) { queue_.push(position); }  // in PolygonLists::primitives

    // One cycle; `draining`: no further primitive comes in this pass. True if something happened.
    bool step(engine::Time now, bool draining);
    void on_written() { --in_flight_; }

    // Everything that was pushed is in memory (after steps with `draining`).
    bool drained() const { return queue_.empty() && lines_.empty() && !tail_ && in_flight_ == 0; }

  private:
    struct ListLine {
        BlockNumber block;
        std::uint32_t entries;
    };
    bool write_record(engine::Time now, std::uint32_t position);
    bool write_entry(engine::Time now, std::uint32_t position);
    bool drain(engine::Time now);
    bool write(engine::Time now, BlockNumber block, bool whole);
    void next_tile(const Primitive& primitive);

    const Workload& workload_;
    MemoryPort* memory_;
    RequestTag tag_;
    std::size_t most_lines_;
    engine::Time period_;

    RingQueue<std::uint32_t> queue_;
    std::uint32_t pass_ = 0;
    BlockNumber record_line_ = 0;  // the first that has not been written
    bool tail_ = false;            // a line of primitives is partly filled
    bool binning_ = false;         // the record of the primitive at the head is done, its list entries are not
    std::uint32_t tile_x_ = 0, tile_y_ = 0;
    std::vector<std::uint32_t> lengths_;  // of the lists, by tile
    std::vector<ListLine> lines_;         // collected, most recently used last
    std::uint32_t in_flight_ = 0;
    engine::Counter primitives_, entries_, lines_written_, parts_written_;
};

}  // namespace models
