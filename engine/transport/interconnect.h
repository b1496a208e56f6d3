// Interconnect: the memory through which the workers of a run reduce and send, and the transport that carries
// what shared memory does not. Plain memory without pointers: between the threads of a rank it is ordinary memory,
// between the ranks of a node shared memory.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "engine/transport/inter_node.h"
#include "engine/transport/link.h"
#include "engine/transport/reduction.h"
#include "engine/transport/shared_block.h"

namespace engine {

class Interconnect {
  public:
    struct Link {
        int from, to;  // ranks
    };
    // Collective; the nodes must outlive it. `participants`: the rank of each, in the order of slots.
    Interconnect(const transport::Nodes& nodes, std::span<const int> participants, std::span<const Link> links);
    Interconnect(const Interconnect&) = delete;
    Interconnect& operator=(const Interconnect&) = delete;

    ReductionMemory& reduction() const { return *reduction_; }
    ReductionSlot* slots() const { return slots_; }
    // The end of a link that is here; null if none is.
    transport::LinkMemory* link(std::size_t number) const { return links_[number]; }
    transport::InterNodeTransport* inter_node() const { return transport_.get(); }  // null: all ranks are on one node

  private:
    transport::SharedBlock make_block(const transport::Nodes& nodes, std::span<const Link> links) const;
    void find_links(const transport::Nodes& nodes, std::span<const Link> links);

    const std::size_t participants_;
    const transport::SharedBlock block_;  // the reduction, its slots, and the links between the ranks of this node
    std::unique_ptr<ReductionMemory> own_reduction_;  // with several nodes, instead of that in the block
    std::vector<ReductionSlot> own_slots_;
    std::vector<std::unique_ptr<transport::LinkMemory>> far_ends_;  // here, of links to and from other nodes
    ReductionMemory* reduction_;
    ReductionSlot* slots_;
    std::vector<transport::LinkMemory*> links_;  // null: has no end here
    std::unique_ptr<transport::InterNodeTransport> transport_;
};

}  // namespace engine
