// Logical process: the network on chip in one direction: from processors to L2 slices (`Network<MemoryRequest>`) or
// back (`Network<MemoryReply>`). A bus, a crossbar or a mesh of network/; which one is in its name ("request_bus"), as
// it is in results. The two directions share nothing, so requests never hold up replies.
//
// A request gets the number of its processor here, by which its reply finds the way back. Every sender has a credit for
// what it sends and every receiver takes what comes, so what waits in the network is bounded and always moves on.
#pragma once

#include <string>

#include "engine/block.h"
#include "models/memory/requests.h"
#include "models/network/interconnect.h"
#include "models/structures/slot_pool.h"

namespace models {

template <engine::Message M>
class Network final : public engine::Clocked<Network<M>> {
    using Base = engine::Clocked<Network<M>>;

  public:
    struct Shape {
        std::size_t kind;  // of Interconnect
        NetworkShape network;
        std::uint32_t line_blocks;  // of a line of the L2 cache, which is in one slice
        int slices;                 // of the L2 cache; behind them comes the memory management unit
        int first_cluster = 0;      // output of requests to the caches of the first cluster, if any are sent there
    };
    explicit Network(const Shape& shape);

    void end_frame() {
        interconnect_.visit([this](auto& member) { member.settle(this->now()); });
    }

    engine::Time step();
    std::string unfinished() const override;
    double cost_hint() const override { return 1.2; }
    void serialize(engine::Archive& archive) override { archive(interconnect_, messages_); }
    void add_laws(Laws& laws) const;

    const NetworkTraffic& traffic() const {
        return interconnect_.visit([](const auto& member) -> const NetworkTraffic& { return member.traffic; });
    }

  private:
    void on_message(const M& message, int from);

    SliceMap slices_;
    int first_cluster_;
    Interconnect interconnect_;
    SlotPool<M> messages_;  // in the network, if it is not a passive one

  public:
    engine::Row<engine::In<M>> in;
    engine::Row<engine::Out<M>> out;
};

extern template class Network<MemoryRequest>;
extern template class Network<MemoryReply>;

}  // namespace models
