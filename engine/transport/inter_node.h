// InterNodeTransport: carries links and reductions between ranks that share no memory. One on each rank, used by its
// first thread only, which calls progress() whenever it polls; it never waits but in finish().
//
// A link between two nodes has a LinkMemory at both ends. The transport takes out of the one at the sender's what
// workers there hand over, and puts it into the one at the receiver's, so that the rule of links holds at both
// (link.h): it reads the clock, then the messages, and at the other end it puts in the messages, then the clock. In the
// same way the arrival of a worker at a reduction never overtakes what it handed over before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/transport/link.h"
#include "engine/transport/reduction.h"

namespace engine::transport {

class InterNodeTransport {
  public:
    // Collective. `slots`: of all participants; slot i belongs to one on rank ranks[i].
    InterNodeTransport(ReductionMemory& reduction, std::span<ReductionSlot> slots, std::span<const int> ranks);
    ~InterNodeTransport();  // collective
    InterNodeTransport(const InterNodeTransport&) = delete;
    InterNodeTransport& operator=(const InterNodeTransport&) = delete;

    // Before the first progress(). `link`: its number, the same on all ranks.
    void carry_to(int rank, std::uint32_t link, LinkMemory& from);
    void deliver_to(std::uint32_t link, LinkMemory& to);

    // Sends what is new, to each rank in one message, and delivers what has come, each rank's in the order it was sent.
    void progress();
    // When the run is over for all participants here: sends the rest and returns when all ranks have done so.
    void finish();

    std::uint64_t packets() const { return packets_; }  // sent with news in them

  private:
    struct Peer;
    struct Channel;  // of MPI
    void receive();
    void deliver(Peer& peer);
    bool deliver_links(Peer& peer);
    void deliver_reduction(Peer& peer);
    void send(Peer& peer);
    bool has_news(const Peer& peer) const;
    void pack(Peer& peer, bool goodbye);
    void pack_slots(Peer& peer);
    void ship(Peer& peer);

    ReductionMemory& reduction_;
    std::span<ReductionSlot> slots_;
    std::vector<int> ranks_;             // of the slots
    std::vector<LinkMemory*> arriving_;  // by number of the link; null: ends elsewhere
    std::unique_ptr<Channel> channel_;
    std::vector<std::unique_ptr<Peer>> peers_;  // by rank; null: this one
    std::uint64_t packets_ = 0;
};

}  // namespace engine::transport
