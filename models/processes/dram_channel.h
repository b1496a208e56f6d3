// Logical process: a DRAM channel. Hosts one of the two models of main memory, in the clock of the DRAM.
#pragma once

#include <string>
#include <vector>

#include "engine/block.h"
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
    };
    explicit DramChannel(const Shape& shape);

    void end_frame();

    void on_wake();
    std::string unfinished() const override;
    double cost_hint() const override { return 0.1; }
    void serialize(engine::Archive& archive) override { memory_.serialize(archive); }
    void add_laws(Laws& laws) const;

    const engine::Counter& reads() const;  // requests
    const engine::Counter& writes() const;

  private:
    void on_request(const DramRequest& request, int port);
    DramTransfer transfer(const DramRequest& request) const;
    engine::Time least_delay() const;

    engine::Windows cycles_;
    std::uint32_t line_blocks_;  // of what a request has at most
    ChannelInterleave interleave_;
    Family<DramController, FlatDram> memory_;  // in the order of DramModel

  public:
    engine::Row<engine::In<DramRequest>> requests;
    engine::Row<engine::Out<DramReply>> replies;
};

}  // namespace models
