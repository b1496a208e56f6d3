#include "engine/transport/shared_block.h"

#include <cstdint>
#include <cstdlib>
#include <new>
#include <string>

#include <mpi.h>

#include "engine/error.h"
#include "engine/transport/collectives.h"

namespace engine::transport {

namespace {

constexpr std::size_t alignment = 64;

std::byte* aligned(void* memory) {
    const auto address = reinterpret_cast<std::uintptr_t>(memory);
    return static_cast<std::byte*>(memory) + (alignment - address % alignment) % alignment;
}

}  // namespace

struct SharedBlock::Window {
    MPI_Win window = MPI_WIN_NULL;
    ~Window() { MPI_Win_free(&window); }
};

SharedBlock::SharedBlock(std::size_t bytes) {
    if (size() == 1) {
        data_ = static_cast<std::byte*>(::operator new (bytes, std::align_val_t{alignment}));
        return;
    }
    if (const int here = ranks_on_this_node(); here != size())
        throw ConfigError("the ranks of a run must be on one node; of " + std::to_string(size()) + " ranks " +
                          std::to_string(here) + " are on this one. Start one job for every node");
    window_ = std::make_unique<Window>();
    maker_ = rank() == 0;
    void* memory = nullptr;
    const MPI_Aint mine = maker_ ? static_cast<MPI_Aint>(bytes + alignment) : 0;
    MPI_Win_allocate_shared(mine, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window_->window);
    MPI_Aint found = 0;
    int unit = 0;
    MPI_Win_shared_query(window_->window, 0, &found, &unit, &memory);
    data_ = aligned(memory);  // pages are mapped as a whole, so this is the same offset everywhere
}

SharedBlock::~SharedBlock() {
    if (window_ == nullptr) ::operator delete (data_, std::align_val_t{alignment});
}

void SharedBlock::ready() const {
    if (window_ != nullptr) MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace engine::transport
