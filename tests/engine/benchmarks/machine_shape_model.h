// The machine-shaped load (machine_shape_blocks.h) on the kernel. The cost hints are nanoseconds per cycle, with the
// messages; the work of several processors overlaps, so a processor costs less than its work. It costs 11.5 % of all
// that are none, on a core whose other hardware thread is busy, where it overlaps less, 18 %, and the hints are in the
// middle. How the others share theirs is from an older measurement, of which they are scaled to the sum measured since.
// Every lookahead is at least the window, and those of the requests are exactly the window.
#pragma once

#include <optional>
#include <vector>

#include "engine/archive.h"
#include "engine/simulation.h"
#include "tests/engine/benchmarks/machine_shape_blocks.h"

namespace engine::benchmarks {

// Every channel has a latency of one tick; the rest of a delay is that of the pipeline that sends.
inline constexpr Time channel_latency = 1;

// The state of a block as a counter, which the kernel collects from whichever rank ran the block. Set by the last step:
// every message is followed by one.
class StateCounter {
  public:
    explicit StateCounter(CounterList* counters) : counter_(counters, "state", "1", "hash of everything done so far") {}
    void set(std::uint64_t state) { counter_ += state - counter_.value(); }

  private:
    Counter counter_;
};

class ProcessorBlock : public Clocked<ProcessorBlock> {
  public:
    ProcessorBlock(const MachineShape& shape, int index)
        : Clocked("processor", index, 1),
          cycles_(shape.cycles),
          delay_(shape.window - channel_latency),
          work_(shape.work_ns),
          logic_(shape, index),
          replies(this, "replies", shape.slices, handler<&ProcessorBlock::on_reply>),
          requests(this, "requests", shape.slices, delay_) {
        if (shape.raster) {
            tiles.emplace(this, "tiles", handler<&ProcessorBlock::on_tile>);
            finished.emplace(this, "finished", delay_);
        }
        wake_at(0);
    }
    Time step() {
        if (now() >= cycles_) {
            state_.set(logic_.state());
            return never;
        }
        logic_.cycle(
            now(), [this](int slice, const LineRequest& request) { requests[slice].send(request, delay_); },
            [this](const TileDone& done) { finished->send(done, delay_); });
        return now() + 1;
    }
    void on_reply(const LineReply& reply) { logic_.on_reply(reply); }
    void on_tile(const Tile& tile) { logic_.on_tile(tile); }
    void serialize(Archive& archive) override { archive(logic_); }
    double cost_hint() const override { return 0.54 * work_ + 6.6; }

  private:
    Time cycles_, delay_;
    double work_;
    ProcessorLogic logic_;
    StateCounter state_{&counters()};

  public:
    Row<In<LineReply>> replies;
    Row<Out<LineRequest>> requests;
    std::optional<In<Tile>> tiles;  // with a raster front-end only
    std::optional<Out<TileDone>> finished;
};

class SliceBlock : public Clocked<SliceBlock> {
  public:
    SliceBlock(const MachineShape& shape, int index)
        : Clocked("slice", index, 1),
          reply_delay_(shape.reply_delay() - channel_latency),
          read_delay_(shape.window - channel_latency),
          logic_(shape, index),
          requests(this, "requests", shape.processors, handler<&SliceBlock::on_request>),
          fills(this, "fills", shape.dram_channels, handler<&SliceBlock::on_fill>),
          replies(this, "replies", shape.processors, reply_delay_),
          reads(this, "reads", shape.dram_channels, read_delay_) {}
    Time step() {
        logic_.cycle(
            now(), [this](int processor, const LineReply& reply) { replies[processor].send(reply, reply_delay_); },
            [this](int channel, const DramRequest& read) { reads[channel].send(read, read_delay_); });
        if (!logic_.idle()) return now() + 1;
        state_.set(logic_.state());
        return never;
    }
    void on_request(const LineRequest& request) { logic_.on_request(request); }
    void on_fill(const DramFill& fill) {
        logic_.on_fill(fill,
                       [this](int processor, const LineReply& reply) { replies[processor].send(reply, reply_delay_); });
    }
    void serialize(Archive& archive) override { archive(logic_); }
    double cost_hint() const override { return 24; }

  private:
    Time reply_delay_, read_delay_;
    SliceLogic logic_;
    StateCounter state_{&counters()};

  public:
    Row<In<LineRequest>> requests;
    Row<In<DramFill>> fills;
    Row<Out<LineReply>> replies;
    Row<Out<DramRequest>> reads;
};

class DramBlock : public Clocked<DramBlock> {
  public:
    DramBlock(const MachineShape& shape, int index)
        : Clocked("dram", index, MachineShape::dram_period),
          delay_(shape.fill_delay() - channel_latency),
          reads(this, "reads", shape.slices, handler<&DramBlock::on_read>),
          fills(this, "fills", shape.slices, delay_) {}
    Time step() {
        logic_.cycle(now(), [this](int slice, const DramFill& fill) { fills[slice].send(fill, delay_); });
        if (!logic_.idle()) return now() + period();
        state_.set(logic_.state());
        return never;
    }
    void on_read(const DramRequest& read) { logic_.on_read(read); }
    void serialize(Archive& archive) override { archive(logic_); }
    double cost_hint() const override { return 12; }

  private:
    Time delay_;
    DramLogic logic_;
    StateCounter state_{&counters()};

  public:
    Row<In<DramRequest>> reads;
    Row<Out<DramFill>> fills;
};

class RasterBlock : public Clocked<RasterBlock> {
  public:
    explicit RasterBlock(const MachineShape& shape)
        : Clocked("raster", -1, 1),
          delay_(shape.window - channel_latency),
          logic_(shape),
          finished(this, "finished", shape.processors, handler<&RasterBlock::on_done>),
          tiles(this, "tiles", shape.processors, delay_) {
        wake_at(0);
    }
    Time step() {
        logic_.cycle(now(), [this](int processor, const Tile& tile) { tiles[processor].send(tile, delay_); });
        if (!logic_.idle()) return now() + 1;
        state_.set(logic_.state());
        return never;
    }
    void on_done(const TileDone& done) { logic_.on_done(done); }
    void serialize(Archive& archive) override { archive(logic_); }
    double cost_hint() const override { return 20; }

  private:
    Time delay_;
    RasterLogic logic_;
    StateCounter state_{&counters()};

  public:
    Row<In<TileDone>> finished;
    Row<Out<Tile>> tiles;
};

// Wires the machine; the caller runs it once.
class MachineModel {
  public:
    explicit MachineModel(const MachineShape& shape) {
        const auto processors = add_all<ProcessorBlock>(shape, shape.processors);
        const auto slices = add_all<SliceBlock>(shape, shape.slices);
        const auto channels = add_all<DramBlock>(shape, shape.dram_channels);
        RasterBlock* const raster = shape.raster ? &simulation.add<RasterBlock>(shape) : nullptr;

        for (ProcessorBlock* processor : processors) {
            for (SliceBlock* slice : slices) {
                simulation.connect(processor->requests[slice->index()], slice->requests[processor->index()],
                                   channel_latency);
                simulation.connect(slice->replies[processor->index()], processor->replies[slice->index()],
                                   channel_latency);
            }
            if (raster == nullptr) continue;
            simulation.connect(*processor->finished, raster->finished[processor->index()], channel_latency);
            simulation.connect(raster->tiles[processor->index()], *processor->tiles, channel_latency);
        }
        for (SliceBlock* slice : slices)
            for (DramBlock* channel : channels) {
                simulation.connect(slice->reads[channel->index()], channel->reads[slice->index()], channel_latency);
                simulation.connect(channel->fills[slice->index()], slice->fills[channel->index()], channel_latency);
            }
    }
    // Complete on rank 0.
    MachineOutcome outcome(const RunReport& report) const {
        MachineOutcome outcome{report.messages, 0, report.seconds};
        for (const std::uint64_t state : simulation.collect_counters()) outcome.digest = absorb(outcome.digest, state);
        return outcome;
    }

    Simulation simulation;

  private:
    template <class Block>
    std::vector<Block*> add_all(const MachineShape& shape, int count) {
        std::vector<Block*> blocks(static_cast<std::size_t>(count));
        for (int i = 0; i < count; ++i) blocks[static_cast<std::size_t>(i)] = &simulation.add<Block>(shape, i);
        return blocks;
    }
};

}  // namespace engine::benchmarks
