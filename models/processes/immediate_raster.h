// Logical process: the raster front end of immediate rendering. Takes primitives as they leave assembly, rasterises
// them in the order of commands, tests depths in memory through the depth cache, and packs what is left into warps for
// the cores. Every square of the screen belongs to one core, so a line of a render target is in one pixel cache only,
// and quads of one place are blended in their order.
//
// Before a clear, at the end of a pass that another one waits for and at the end of the frame all quads are finished,
// and the caches of pixels and depths are written back. Other passes follow one another without a stop.
#pragma once

#include <memory>
#include <string>

#include "engine/block.h"
#include "models/base/time_account.h"
#include "models/pipeline/access_processor.h"
#include "models/pipeline/depth_unit.h"
#include "models/pipeline/dispatch.h"
#include "models/pipeline/rasteriser.h"
#include "models/pipeline/surface_clearer.h"
#include "models/pipeline/tested_quads.h"
#include "models/structures/credit_return.h"
#include "models/workload/messages.h"

namespace models {

class Laws;

class ImmediateRaster : public engine::Clocked<ImmediateRaster> {
  public:
    struct Shape {
        const RasterParameters& raster;
        const CacheParameters& depth_cache;
        int triangle_queue;  // entries
        int clusters;
        int late_quads;  // that all clusters may have in the depth test
        Dispatch::Shape dispatch;
        engine::Time period, credit_patience;
        engine::Time hop;  // least delay of what it sends to other processes, ticks
        MemoryPortShape memory;
        const AccessProcessor::Shape* access = nullptr;  // null: nothing is fetched ahead for quads
    };
    ImmediateRaster(const Shape& shape, const Workload& workload);

    void begin_frame();
    void end_frame() {
        time.settle(now());
        depth_.end_frame();
    }

    engine::Time step();
    std::string unfinished() const override;
    double cost_hint() const override { return 3.3; }
    void serialize(engine::Archive& archive) override;
    void add_laws(Laws& laws) const;

    // What its parts tell.
    void late_tested(std::uint32_t cluster) { tested[static_cast<int>(cluster)].send({1}, hop_); }
    void send_warp(int core, const FormedWarp& warp);
    void send_prefetch(int cluster, const PrefetchBlock& message) { prefetches[cluster].send(message, hop_); }

  private:
    enum State : std::uint8_t {
        idle,
        busy,
        set_up,
        primitives_awaited,
        depths,
        cores,
        flush,
        clear,
        cleared_awaited,
        states
    };
    // What has to be done before the next of the input goes on.
    enum class Barrier : std::uint8_t { absent, drain, flush, clear };

    void on_primitive(const StreamedPrimitive& message) { queue_.push(message); }
    void on_taken(const QuadsTaken& message, int core) { dispatch_.give_back(core, message.count); }
    void on_blended(const QuadsBlended& message, int /*cluster*/) { quads_in_flight_ -= message.count; }
    void on_test(const TestDepth& message, int cluster) {
        depth_.test_late(now(), message.quad, message.pass, static_cast<std::uint32_t>(cluster));
    }
    void on_flushed(const PixelsFlushed& message, int cluster);
    void on_prefetched(const PrefetchesTaken& message, int /*cluster*/) { access_->looked_for(message.count); }
    void on_reply(const MemoryReply& reply);

    bool take_input();
    bool needs_flush(const StreamedPrimitive& item) const;
    bool pass_barrier(const StreamedPrimitive& item);
    void finish(const StreamedPrimitive& item);
    bool hand_out(bool& refused);
    bool take_quad(std::uint32_t quad, std::uint32_t pass);
    State state(bool emitted, bool cleared, bool refused) const;

    // Shape.
    const Workload& workload_;
    engine::Time hop_, interpolation_;
    std::uint32_t quads_per_cycle_;

    // State.
    RingQueue<StreamedPrimitive> queue_;
    CreditReturn taken_credits_;
    std::uint32_t pass_ = 0;             // of the next of the input
    std::uint32_t quads_in_flight_ = 0;  // handed out and not blended
    bool is_dirty_ = false;              // something was rendered since the last flush
    Barrier barrier_ = Barrier::absent;
    std::uint32_t flushes_awaited_ = 0;

  public:
    engine::In<StreamedPrimitive> primitives{this, "primitives", engine::handler<&ImmediateRaster::on_primitive>};
    engine::Row<engine::In<QuadsTaken>> taken;
    engine::Row<engine::In<QuadsBlended>> blended;
    engine::Row<engine::In<TestDepth>> tests;
    engine::Row<engine::In<PixelsFlushed>> flushed;
    engine::Row<engine::In<PrefetchesTaken>> prefetched;
    engine::In<MemoryReply> replies;
    engine::Out<PrimitivesTaken> primitives_taken;
    engine::Row<engine::Out<ShadeQuad>> quads;
    engine::Row<engine::Out<ShadeWarp>> warps;
    engine::Row<engine::Out<DepthTested>> tested;
    engine::Row<engine::Out<FlushPixels>> flushes;
    engine::Row<engine::Out<PrefetchBlock>> prefetches;
    engine::Out<PassStored> stored_for_geometry;
    MemoryPort memory;
    engine::Counter passes{&counters(), "passes", "1", "passes rendered"};
    TestedQuads tested_quads{&counters()};
    engine::Counter flushes_done{&counters(), "flushes", "1", "times that all caches of pixels were written back"};
    TimeAccount<states> time;

  private:
    Rasteriser rasteriser_;
    DepthUnit depth_;
    SurfaceClearer clearer_;
    Dispatch dispatch_;
    std::unique_ptr<AccessProcessor> access_;

  public:
    const Rasteriser& rasteriser() const { return rasteriser_; }
    const DepthUnit& depth() const { return depth_; }
    const SurfaceClearer& clearer() const { return clearer_; }
    const Dispatch& dispatch() const { return dispatch_; }
    const AccessProcessor* access_processor() const { return access_.get(); }
};

}  // namespace models
