// Memory that several ranks see at once: those of one node.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace engine::transport {

// Which ranks of the job share memory: those of one node. And the CPUs that those of this computer may use.
class Nodes {
  public:
    // Collective. `share_memory` false: every rank is taken for a node of its own.
    explicit Nodes(bool share_memory);
    ~Nodes();
    Nodes(const Nodes&) = delete;
    Nodes& operator=(const Nodes&) = delete;

    bool several() const { return several_; }
    bool together(int rank, int other) const {
        return node_[static_cast<std::size_t>(rank)] == node_[static_cast<std::size_t>(other)];
    }
    const std::vector<int>& by_rank() const { return node_; }  // the first rank of the node of each
    int place() const { return place_; }  // of this rank among those of this computer, shared memory or not, from 0
    // Whether so many threads of every rank of this computer have a CPU each, among those that they may use.
    bool have_cpus(int threads) const { return threads <= cpus_ && threads * neighbours_ <= common_cpus_; }

  private:
    friend class SharedBlock;
    struct Communicator;                       // of MPI, of the ranks that share memory with this one
    std::unique_ptr<Communicator> neighbour_;  // null: none does
    std::vector<int> node_;                    // by rank
    bool several_ = false;
    int neighbours_ = 1, place_ = 0;  // ranks of this computer
    int cpus_, common_cpus_;          // that this rank may use; that some rank of this computer may use
};

class SharedBlock {
  public:
    // Collective. One block for every node; the nodes must outlive it. `make` is called on one rank of the node, before
    // any of it goes on, to make what is to lie there. At 64 bytes.
    template <class F>
    SharedBlock(const Nodes& nodes, std::size_t bytes, F make) : SharedBlock(nodes, bytes) {
        if (maker_) make(data_);
        ready(nodes);
    }
    ~SharedBlock();
    SharedBlock(const SharedBlock&) = delete;
    SharedBlock& operator=(const SharedBlock&) = delete;

    std::byte* data() const { return data_; }

  private:
    SharedBlock(const Nodes& nodes, std::size_t bytes);
    void ready(const Nodes& nodes) const;

    struct Window;  // of MPI; null if no other rank shares this memory
    std::unique_ptr<Window> window_;
    std::byte* data_ = nullptr;
    bool maker_ = true;
};

}  // namespace engine::transport
