// The shape of a GPU as a load for the kernel: what its blocks do, without how they are stepped or what carries their
// messages. The kernel's model (machine_shape_model.h) and the hand-written loop (machine_shape_floor.h) share this
// file, so they do the same work and have one digest.
//
// Fragment processors (32) work every cycle on one chain of dependent integer operations. About every 10 cycles one
// sends a 32-byte request to a pseudo-random L2 slice, which serves one request a cycle. Seven of eight requests are
// answered 12 cycles later; the others go to one of two DRAM channels first, which serve one request every 4 cycles. A
// raster front-end deals tiles to the processors, which ask for the next one after 64 to 127 cycles.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/archive.h"
#include "engine/units.h"
#include "tests/engine/benchmarks/random.h"

namespace engine::benchmarks {

// One cycle of every clock but that of DRAM is one tick.
struct MachineShape {
    int processors = 32, slices = 8;
    int dram_channels = 2;  // 0: every request is answered by its slice
    bool raster = true;     // false: no tiles
    Time window = 4;        // the least lookahead
    Time cycles = 200'000;
    double work_ns = 49;  // of a processor in a cycle
    std::uint64_t seed = 1;

    static constexpr Time dram_period = 4;
    // What one step of the chain counts for: about 1.5 ns on a Xeon at 3.3 GHz and its share of the rest of a cycle, so
    // that at 49 ns the plain loop spends 49 ns per processor and cycle, messages included. A constant, so that the
    // work, and with it the digest, is the same on every machine.
    static constexpr double ns_per_step = 1.9;

    int steps() const { return std::max(1, static_cast<int>(std::lround(work_ns / ns_per_step))); }
    Time reply_delay() const { return std::max<Time>(12, window); }
    Time fill_delay() const { return std::max<Time>(40, window); }
};

struct MachineOutcome {
    std::uint64_t events = 0;  // messages consumed
    std::uint64_t digest = 0;  // of the states of all blocks
    double seconds = 0;
};

struct LineRequest {
    std::uint64_t address, value;
    std::int64_t issued, processor;
};
struct LineReply {
    std::uint64_t address, value, slice_state;
    std::int64_t issued;
};
struct DramRequest {
    LineRequest request;
    std::int32_t slice, unused;
};
struct DramFill {
    LineRequest request;
    std::uint64_t data;
};
struct Tile {
    std::uint64_t quads, value;
};
struct TileDone {
    std::uint64_t value;
    std::int64_t processor;
};

// First in, first out; its storage is reused whenever it runs empty, which all of them often do.
template <class T>
class Fifo {
  public:
    bool empty() const { return items_.empty(); }
    void push(const T& item) { items_.push_back(item); }
    T pop() {
        const T item = items_[first_++];
        if (first_ == items_.size()) {
            items_.clear();
            first_ = 0;
        }
        return item;
    }
    void serialize(Archive& archive) { archive(items_, first_); }

  private:
    std::vector<T> items_;
    std::size_t first_ = 0;
};

class ProcessorLogic {
  public:
    ProcessorLogic(const MachineShape& shape, int index)
        : state_(Draws(shape.seed, static_cast<std::uint64_t>(index)).next()),
          further_steps_(shape.steps() - 1),
          slices_(shape.slices),
          index_(index) {}

    // `request(slice, LineRequest)`, `done(TileDone)` send messages.
    template <class Request, class Done>
    void cycle(Time now, Request request, Done done) {
        std::uint64_t x = absorb(state_, static_cast<std::uint64_t>(now));
        for (int i = 0; i < further_steps_; ++i) x = (x ^ (x >> 31U)) * 0xd6e8feb86659fd93U;
        state_ = x;
        if (below(10, x) == 0) request(below(slices_, x << 20U), LineRequest{(x >> 4U) & 0xffffffU, x, now, index_});
        if (quads_left_ > 0 && --quads_left_ == 0) done(TileDone{x, index_});
    }
    void on_reply(const LineReply& reply) {
        state_ = absorb(state_,
                        reply.value ^ reply.slice_state ^ (reply.address + static_cast<std::uint64_t>(reply.issued)));
    }
    void on_tile(const Tile& tile) {
        quads_left_ = tile.quads;
        state_ = absorb(state_, tile.value);
    }
    std::uint64_t state() const { return state_; }
    void serialize(Archive& archive) { archive(state_, quads_left_); }

  private:
    std::uint64_t state_;
    std::uint64_t quads_left_ = 0;
    int further_steps_, slices_, index_;
};

class SliceLogic {
  public:
    SliceLogic(const MachineShape& shape, int index) : dram_channels_(shape.dram_channels), index_(index) {}

    bool idle() const { return queue_.empty(); }
    void on_request(const LineRequest& request) { queue_.push(request); }
    // `reply(processor, LineReply)` sends a message.
    template <class Reply>
    void on_fill(const DramFill& fill, Reply reply) {
        state_ = absorb(state_, fill.data);
        answer(fill.request, reply);
    }
    // Serves one request, if there is one. `read(dram_channel, DramRequest)` sends a message.
    template <class Reply, class Read>
    void cycle(Time now, Reply reply, Read read) {
        if (queue_.empty()) return;
        const LineRequest request = queue_.pop();
        state_ = absorb(state_, request.address + static_cast<std::uint64_t>(now));
        const std::uint64_t tag = mix(request.address ^ state_);
        if (dram_channels_ > 0 && below(8, tag) == 0)
            read(below(dram_channels_, tag << 20U), DramRequest{request, index_, 0});
        else
            answer(request, reply);
    }
    std::uint64_t state() const { return state_; }
    void serialize(Archive& archive) { archive(queue_, state_); }

  private:
    template <class Reply>
    void answer(const LineRequest& request, Reply reply) {
        reply(static_cast<int>(request.processor), LineReply{request.address, request.value, state_, request.issued});
    }

    Fifo<LineRequest> queue_;
    std::uint64_t state_ = 1;
    int dram_channels_;
    std::int32_t index_;
};

class DramLogic {
  public:
    bool idle() const { return queue_.empty(); }
    void on_read(const DramRequest& read) { queue_.push(read); }
    // Serves one request, if there is one. `fill(slice, DramFill)` sends a message.
    template <class Fill>
    void cycle(Time now, Fill fill) {
        if (queue_.empty()) return;
        const DramRequest read = queue_.pop();
        state_ = absorb(state_, read.request.address + static_cast<std::uint64_t>(now));
        fill(read.slice, DramFill{read.request, state_});
    }
    std::uint64_t state() const { return state_; }
    void serialize(Archive& archive) { archive(queue_, state_); }

  private:
    Fifo<DramRequest> queue_;
    std::uint64_t state_ = 2;
};

class RasterLogic {
  public:
    explicit RasterLogic(const MachineShape& shape) {
        if (!shape.raster) return;
        for (int i = 0; i < shape.processors; ++i) waiting_.push({0, i});
    }
    bool idle() const { return waiting_.empty(); }
    void on_done(const TileDone& done) { waiting_.push(done); }
    // Deals one tile, if a processor waits. `deal(processor, Tile)` sends a message.
    template <class Deal>
    void cycle(Time now, Deal deal) {
        if (waiting_.empty()) return;
        const TileDone done = waiting_.pop();
        state_ = absorb(state_, done.value + static_cast<std::uint64_t>(now));
        deal(static_cast<int>(done.processor), Tile{64 + (state_ & 63U), state_});
    }
    std::uint64_t state() const { return state_; }
    void serialize(Archive& archive) { archive(waiting_, state_); }

  private:
    Fifo<TileDone> waiting_;
    std::uint64_t state_ = 3;
};

}  // namespace engine::benchmarks
