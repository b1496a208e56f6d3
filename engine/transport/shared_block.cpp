#include "engine/transport/shared_block.h"

#include <algorithm>
#include <cstdint>
#include <new>
#include <numeric>

#include <mpi.h>

#include "engine/threads/allowed_cpus.h"
#include "engine/transport/collectives.h"

namespace engine::transport {

namespace {

constexpr std::size_t alignment = 64;

std::byte* aligned(void* memory) {
    const auto address = reinterpret_cast<std::uintptr_t>(memory);
    return static_cast<std::byte*>(memory) + (alignment - address % alignment) % alignment;
}

}  // namespace

struct Nodes::Communicator {
    MPI_Comm communicator = MPI_COMM_NULL;
    Communicator() { MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &communicator); }
    ~Communicator() { MPI_Comm_free(&communicator); }
    Communicator(const Communicator&) = delete;
    Communicator& operator=(const Communicator&) = delete;
};

Nodes::Nodes(bool share_memory) : node_(static_cast<std::size_t>(size())) {
    CpuSet cpus = allowed_cpus();
    cpus_ = common_cpus_ = usable_cpus(cpus);
    if (size() == 1) return;
    neighbour_ = std::make_unique<Communicator>();
    MPI_Allreduce(MPI_IN_PLACE, cpus.data(), static_cast<int>(cpus.size()), MPI_UINT64_T, MPI_BOR,
                  neighbour_->communicator);
    common_cpus_ = usable_cpus(cpus);
    MPI_Comm_size(neighbour_->communicator, &neighbours_);
    MPI_Comm_rank(neighbour_->communicator, &place_);
    if (share_memory) {  // a node is called by its first rank
        const int mine = rank();
        int first = mine;
        MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, neighbour_->communicator);
        MPI_Allgather(&first, 1, MPI_INT, node_.data(), 1, MPI_INT, MPI_COMM_WORLD);
    } else {
        std::iota(node_.begin(), node_.end(), 0);
    }
    several_ = std::any_of(node_.begin(), node_.end(), [&](int node) { return node != node_[0]; });
    if (!share_memory || neighbours_ == 1) neighbour_.reset();
}

Nodes::~Nodes() = default;

struct SharedBlock::Window {
    MPI_Win window = MPI_WIN_NULL;
    ~Window() { MPI_Win_free(&window); }
};

SharedBlock::SharedBlock(const Nodes& nodes, std::size_t bytes) {
    if (nodes.neighbour_ == nullptr) {
        data_ = static_cast<std::byte*>(::operator new(bytes, std::align_val_t{alignment}));
        return;
    }
    const MPI_Comm node = nodes.neighbour_->communicator;
    window_ = std::make_unique<Window>();
    int rank = 0;
    MPI_Comm_rank(node, &rank);
    maker_ = rank == 0;
    void* memory = nullptr;
    const MPI_Aint mine = maker_ ? static_cast<MPI_Aint>(bytes + alignment) : 0;
    MPI_Win_allocate_shared(mine, 1, MPI_INFO_NULL, node, &memory, &window_->window);
    MPI_Aint found = 0;
    int unit = 0;
    MPI_Win_shared_query(window_->window, 0, &found, &unit, &memory);
    data_ = aligned(memory);  // pages are mapped as a whole, so this is the same offset everywhere
}

SharedBlock::~SharedBlock() {
    if (window_ == nullptr) ::operator delete(data_, std::align_val_t{alignment});
}

void SharedBlock::ready(const Nodes& nodes) const {
    if (window_ != nullptr) MPI_Barrier(nodes.neighbour_->communicator);
}

}  // namespace engine::transport
