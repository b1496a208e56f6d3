#include "engine/transport/collectives.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include <mpi.h>

namespace engine::transport {

namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 30;  // of one MPI call, which counts in int
constexpr int gather_tag = 1;

bool launched() {
    // Open MPI; PMIx (srun --mpi=pmix, prun); PMI (MPICH, Intel MPI, srun --mpi=pmi2).
    constexpr const char* signs[] = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"};
    return std::any_of(std::begin(signs), std::end(signs), [](const char* sign) {
        return std::getenv(sign) != nullptr;  // NOLINT(concurrency-mt-unsafe): nothing changes the environment
    });
}

bool running() {
    int started = 0, finished = 0;
    MPI_Initialized(&started);
    MPI_Finalized(&finished);
    return started != 0 && finished == 0;
}

// Calls f(offset, count) for the pieces of a transfer.
template <class F>
void in_pieces(std::size_t bytes, F f) {
    for (std::size_t at = 0; at < bytes; at += most_bytes) f(at, static_cast<int>(std::min(most_bytes, bytes - at)));
}

std::vector<std::uint64_t> all_sizes(std::size_t mine) {
    const std::uint64_t size_here = mine;
    std::vector<std::uint64_t> sizes(static_cast<std::size_t>(size()));
    MPI_Allgather(&size_here, 1, MPI_UINT64_T, sizes.data(), 1, MPI_UINT64_T, MPI_COMM_WORLD);
    return sizes;
}

}  // namespace

bool start() {
    if (!launched() || running()) return false;
    // Open MPI asks hwloc for the machine, which would ask an X server for its graphics cards, and wait for one that
    // hangs and die with one that ends. We do not need to know.
    ::setenv("HWLOC_COMPONENTS", "-gl", 0);  // NOLINT(concurrency-mt-unsafe): no other thread runs yet
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    return true;
}

void finish() {
    MPI_Finalize();
}

void abort(ExitCode code) {
    if (running()) MPI_Abort(MPI_COMM_WORLD, static_cast<int>(code));
    std::_Exit(static_cast<int>(code));
}

int rank() {
    int rank = 0;
    if (running()) MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

int size() {
    int size = 1;
    if (running()) MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

std::vector<std::vector<std::byte>> gather(std::span<const std::byte> mine) {
    if (size() == 1) return {{mine.begin(), mine.end()}};
    const std::vector<std::uint64_t> sizes = all_sizes(mine.size());
    std::vector<std::vector<std::byte>> parts;
    if (rank() != 0) {
        in_pieces(mine.size(), [&](std::size_t at, int count) {
            MPI_Send(mine.data() + at, count, MPI_BYTE, 0, gather_tag, MPI_COMM_WORLD);
        });
        return parts;
    }
    parts.emplace_back(mine.begin(), mine.end());
    for (int source = 1; source < size(); ++source) {
        std::vector<std::byte>& part = parts.emplace_back(sizes[static_cast<std::size_t>(source)]);
        in_pieces(part.size(), [&](std::size_t at, int count) {
            MPI_Recv(part.data() + at, count, MPI_BYTE, source, gather_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        });
    }
    return parts;
}

std::vector<std::vector<std::byte>> all_gather(std::span<const std::byte> mine) {
    std::vector<std::vector<std::byte>> parts = gather(mine);
    parts.resize(static_cast<std::size_t>(size()));
    for (std::vector<std::byte>& part : parts) broadcast(part);
    return parts;
}

void broadcast(std::vector<std::byte>& bytes) {
    if (size() == 1) return;
    std::uint64_t count = bytes.size();
    MPI_Bcast(&count, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    bytes.resize(count);
    in_pieces(bytes.size(),
              [&](std::size_t at, int piece) { MPI_Bcast(bytes.data() + at, piece, MPI_BYTE, 0, MPI_COMM_WORLD); });
}

void barrier() {
    if (size() > 1) MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace engine::transport
