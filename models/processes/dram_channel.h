// Logical process: a DRAM channel. Hosts one of the two models of main memory, in the clock of the DRAM. Notes over
// time how many bytes were moved, if that is wanted: those of every command, when it is issued (timed), or whose
// transfer begins (flat), in the interval.
#pragma once

#include <string>
#include <vector>

#include "engine/block.h"
#include "engine/series.h"
#include "models/base/intervals.h"
#include "models/base/time_series.h"
#include "models/memory/dram/dram_controller.h"
#include "models/memory/dram/flat_dram.h"
#include "models/memory/requests.h"

namespace models {

class DramChannel : public engine::EventDriven<DramChannel> {
  public:
    struct Shape {
        const DramParameters& dram;
        int index;
        DramHost host;
        engine::Time bandwidth_every = 0;  // ticks; 0: nothing is noted
    };
    explicit DramChannel(const Shape& shape);

    void begin_frame() { intervals_.begin(now()); }
    void end_frame();

    void on_wake();
    std::string unfinished() const override;
    double cost_hint() const override { return 1.8; }
    void serialize(engine::Archive& archive) override {
        memory_.serialize(archive);
        archive(intervals_, noted_read_, noted_written_);
    }
    void add_laws(Laws& laws) const;

    const engine::Counter& reads() const;  // requests
    const engine::Counter& writes() const;
    const engine::Series& bandwidth() const { return bandwidth_; }

  private:
    void on_request(const DramRequest& request, int port);
    DramTransfer transfer(const DramRequest& request) const;
    engine::Time least_delay() const;
    void note_bandwidth();

    engine::Windows cycles_;
    Divisor line_;  // blocks that a request has at most
    ChannelInterleave interleave_;
    Family<DramController, FlatDram> memory_;  // in the order of DramModel

    Intervals intervals_;
    std::uint64_t noted_read_ = 0, noted_written_ = 0;  // bytes in all intervals before
    engine::Series bandwidth_{&counters()};             // by interval: start, end, bytes read, bytes written

  public:
    engine::Row<engine::In<DramRequest>> requests;
    engine::Row<engine::Out<DramReply>> replies;
};

// By channel what it noted of a frame.
TimeSeries bandwidth_of(const std::vector<std::vector<std::uint64_t>>& noted);

}  // namespace models
