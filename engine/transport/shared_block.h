// SharedBlock: memory that all ranks see at once. All ranks must be on one node, else it is a ConfigError.
#pragma once

#include <cstddef>
#include <memory>

namespace engine::transport {

class SharedBlock {
  public:
    // Collective. `make` is called on one rank, before any rank goes on, to make what is to lie there. At 64 bytes.
    template <class F>
    SharedBlock(std::size_t bytes, F make) : SharedBlock(bytes) {
        if (maker_) make(data_);
        ready();
    }
    ~SharedBlock();
    SharedBlock(const SharedBlock&) = delete;
    SharedBlock& operator=(const SharedBlock&) = delete;

    std::byte* data() const { return data_; }

  private:
    explicit SharedBlock(std::size_t bytes);
    void ready() const;

    struct Window;  // of MPI; null if there is one rank
    std::unique_ptr<Window> window_;
    std::byte* data_ = nullptr;
    bool maker_ = true;
};

}  // namespace engine::transport
