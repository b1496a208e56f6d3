#include "tests/engine/benchmarks/machine_shape_floor.h"

#include <bit>
#include <chrono>

namespace engine::benchmarks {
namespace {

// Messages of one kind to one block, a slot for each cycle. All messages of a kind take the same time and the blocks
// send in the order of their numbers, so a slot is in the order of (source, position) as it is filled.
template <class M>
class Wheel {
  public:
    explicit Wheel(Time span) : slots_(std::bit_ceil(static_cast<std::size_t>(span))), mask_(slots_.size() - 1) {
        for (std::vector<M>& slot : slots_) slot.reserve(8);
    }
    void put(Time time, const M& message) { slots_[static_cast<std::size_t>(time) & mask_].push_back(message); }
    template <class Handle>
    std::size_t take(Time time, Handle handle) {
        std::vector<M>& slot = slots_[static_cast<std::size_t>(time) & mask_];
        const std::size_t count = slot.size();
        for (const M& message : slot) handle(message);
        slot.clear();
        return count;
    }

  private:
    std::vector<std::vector<M>> slots_;
    std::size_t mask_;
};

struct Processor {
    ProcessorLogic logic;
    Wheel<LineReply> replies;
    Wheel<Tile> tiles;
};
struct Slice {
    SliceLogic logic;
    Wheel<LineRequest> requests;
    Wheel<DramFill> fills;
};
struct Channel {
    DramLogic logic;
    Wheel<DramRequest> reads;
};

class Floor {
  public:
    explicit Floor(const MachineShape& shape)
        : cycles_(shape.cycles),
          window_(shape.window),
          reply_delay_(shape.reply_delay()),
          fill_delay_(shape.fill_delay()),
          has_raster_(shape.raster),
          raster_(shape),
          finished_(2 * window_) {
        const Time window_span = 2 * window_, reply_span = window_ + reply_delay_, fill_span = window_ + fill_delay_;
        for (int i = 0; i < shape.processors; ++i)
            processors_.push_back({ProcessorLogic(shape, i), Wheel<LineReply>(reply_span), Wheel<Tile>(window_span)});
        for (int i = 0; i < shape.slices; ++i)
            slices_.push_back({SliceLogic(shape, i), Wheel<LineRequest>(window_span), Wheel<DramFill>(fill_span)});
        for (int i = 0; i < shape.dram_channels; ++i)
            channels_.push_back({DramLogic(), Wheel<DramRequest>(window_span)});
    }

    // Until the last cycle, and on until everything has been answered.
    void run(FloorOrder order) {
        const Time stride = order == FloorOrder::cycle_major ? 1 : window_;
        for (Time start = 0; start < cycles_ || received_ != sent_ || !idle(); start += stride) {
            for (Processor& processor : processors_) advance(processor, start, start + stride);
            for (Slice& slice : slices_) advance(slice, start, start + stride);
            for (Channel& channel : channels_) advance(channel, start, start + stride);
            if (has_raster_) advance_raster(start, start + stride);
        }
    }
    MachineOutcome outcome() const {
        MachineOutcome outcome{received_, 0, 0};
        for (const Processor& processor : processors_) outcome.digest = absorb(outcome.digest, processor.logic.state());
        for (const Slice& slice : slices_) outcome.digest = absorb(outcome.digest, slice.logic.state());
        for (const Channel& channel : channels_) outcome.digest = absorb(outcome.digest, channel.logic.state());
        if (has_raster_) outcome.digest = absorb(outcome.digest, raster_.state());
        return outcome;
    }

  private:
    template <class M>
    void send(Wheel<M>& wheel, Time time, const M& message) {
        wheel.put(time, message);
        ++sent_;
    }
    void advance(Processor& processor, Time start, Time until) {
        for (Time now = start; now < until; ++now) {
            received_ += processor.replies.take(now, [&](const LineReply& reply) { processor.logic.on_reply(reply); });
            received_ += processor.tiles.take(now, [&](const Tile& tile) { processor.logic.on_tile(tile); });
            if (now >= cycles_) continue;
            processor.logic.cycle(
                now,
                [&](int slice, const LineRequest& request) {
                    send(at(slices_, slice).requests, now + window_, request);
                },
                [&](const TileDone& done) { send(finished_, now + window_, done); });
        }
    }
    void advance(Slice& slice, Time start, Time until) {
        for (Time now = start; now < until; ++now) {
            const auto reply = [&](int processor, const LineReply& message) {
                send(at(processors_, processor).replies, now + reply_delay_, message);
            };
            received_ += slice.requests.take(now, [&](const LineRequest& request) { slice.logic.on_request(request); });
            received_ += slice.fills.take(now, [&](const DramFill& fill) { slice.logic.on_fill(fill, reply); });
            slice.logic.cycle(now, reply, [&](int channel, const DramRequest& read) {
                send(at(channels_, channel).reads, now + window_, read);
            });
        }
    }
    void advance(Channel& channel, Time start, Time until) {
        for (Time now = start; now < until; ++now) {
            received_ += channel.reads.take(now, [&](const DramRequest& read) { channel.logic.on_read(read); });
            if (now % MachineShape::dram_period != 0) continue;
            channel.logic.cycle(
                now, [&](int slice, const DramFill& fill) { send(at(slices_, slice).fills, now + fill_delay_, fill); });
        }
    }
    void advance_raster(Time start, Time until) {
        for (Time now = start; now < until; ++now) {
            received_ += finished_.take(now, [&](const TileDone& done) { raster_.on_done(done); });
            raster_.cycle(now, [&](int processor, const Tile& tile) {
                send(at(processors_, processor).tiles, now + window_, tile);
            });
        }
    }
    bool idle() const {
        bool idle = raster_.idle();
        for (const Slice& slice : slices_) idle = idle && slice.logic.idle();
        for (const Channel& channel : channels_) idle = idle && channel.logic.idle();
        return idle;
    }
    template <class T>
    static T& at(std::vector<T>& items, int i) {
        return items[static_cast<std::size_t>(i)];
    }

    Time cycles_, window_, reply_delay_, fill_delay_;
    std::uint64_t sent_ = 0, received_ = 0;
    std::vector<Processor> processors_;
    std::vector<Slice> slices_;
    std::vector<Channel> channels_;
    bool has_raster_;
    RasterLogic raster_;
    Wheel<TileDone> finished_;
};

}  // namespace

MachineOutcome run_machine_floor(const MachineShape& shape, FloorOrder order) {
    Floor floor(shape);
    const auto begin = std::chrono::steady_clock::now();
    floor.run(order);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    MachineOutcome outcome = floor.outcome();
    outcome.seconds = seconds;
    return outcome;
}

}  // namespace engine::benchmarks
