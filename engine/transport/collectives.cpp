#include "engine/transport/collectives.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <utility>

#include <mpi.h>

#include "engine/threads/back_off.h"
#include "engine/threads/watchdog.h"
#include "engine/wall_clock.h"

namespace engine::transport {

namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 30;  // of one MPI call, which counts in int
constexpr int data_tag = 1, life_tag = 2;

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

// How long ranks wait for each other, and what for.
struct Vigil {
    double limit = 300;  // wall seconds without a sign of life; 0: none
    std::string stage = "the start of the program";
    Clock::time_point told = Clock::now();  // last sign of life from here
};
Vigil& vigil() {
    static Vigil vigil;
    return vigil;
}

std::string rank_text(int number) {
    return "rank " + std::to_string(number) + " of " + std::to_string(size());
}

// A part of what goes to another rank, or comes from there.
struct Transfer {
    int rank;
    MPI_Request request = MPI_REQUEST_NULL;
    bool done() {
        int done = 0;
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        return done != 0;
    }
};
using Transfers = std::vector<Transfer>;

[[noreturn]] void give_up(const Transfers& transfers, double waited) {
    std::set<int> ranks;
    for (const Transfer& transfer : transfers) ranks.insert(transfer.rank);
    std::string missing;
    for (const int each : ranks) missing += (missing.empty() ? "" : ", ") + std::to_string(each);
    std::fprintf(stderr, "error: no sign of life from rank %s for %g s of wall time: %s waits for it, for %s\n",
                 missing.c_str(), waited, rank_text(rank()).c_str(), vigil().stage.c_str());
    std::fflush(stderr);
    abort(ExitCode::internal);
}

// Takes the signs of life that have come; true if one is of a rank that is waited for.
bool hear_signs(const Transfers& transfers) {
    bool heard = false;
    for (;;) {
        int found = 0;
        MPI_Status status;
        MPI_Iprobe(MPI_ANY_SOURCE, life_tag, MPI_COMM_WORLD, &found, &status);
        if (found == 0) return heard;
        MPI_Recv(nullptr, 0, MPI_BYTE, status.MPI_SOURCE, life_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        heard |= std::any_of(transfers.begin(), transfers.end(),
                             [&](const Transfer& transfer) { return transfer.rank == status.MPI_SOURCE; });
    }
}

// Looks at the transfers again and again until all are done: a blocking call would keep a core busy, and for ever if a
// rank has stopped. Time counts in looks, so that a job that was stopped as a whole is not taken for stuck.
void complete(Transfers transfers) {
    constexpr double longest_look = 0.1;
    BackOff back_off(false);
    double waited = 0;
    for (Clock::time_point last = Clock::now();;) {
        std::erase_if(transfers, [](Transfer& transfer) { return transfer.done(); });
        if (transfers.empty()) return;
        waited += std::min(seconds_since(std::exchange(last, Clock::now())), longest_look);
        if (hear_signs(transfers)) waited = 0;
        if (vigil().limit > 0 && waited > vigil().limit) give_up(transfers, waited);
        if (rank() == 0) give_sign();
        back_off.pause();
    }
}

// Calls f(offset, count) for the pieces of a transfer.
template <class F>
void in_pieces(std::size_t bytes, F f) {
    for (std::size_t at = 0; at < bytes; at += most_bytes) f(at, static_cast<int>(std::min(most_bytes, bytes - at)));
}

// First the size, then the bytes.
void send_to(std::span<const int> ranks, std::span<const std::byte> bytes) {
    const std::uint64_t count = bytes.size();
    Transfers transfers;
    for (const int to : ranks) {
        MPI_Isend(&count, 1, MPI_UINT64_T, to, data_tag, MPI_COMM_WORLD, &transfers.emplace_back(Transfer{to}).request);
        in_pieces(bytes.size(), [&](std::size_t at, int piece) {
            MPI_Isend(bytes.data() + at, piece, MPI_BYTE, to, data_tag, MPI_COMM_WORLD,
                      &transfers.emplace_back(Transfer{to}).request);
        });
    }
    complete(std::move(transfers));
}

// What these ranks send, in their order.
std::vector<std::vector<std::byte>> receive_from(std::span<const int> ranks) {
    std::vector<std::uint64_t> counts(ranks.size());
    Transfers transfers;
    for (std::size_t i = 0; i < ranks.size(); ++i)
        MPI_Irecv(&counts[i], 1, MPI_UINT64_T, ranks[i], data_tag, MPI_COMM_WORLD,
                  &transfers.emplace_back(Transfer{ranks[i]}).request);
    complete(std::exchange(transfers, {}));
    std::vector<std::vector<std::byte>> parts;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        std::vector<std::byte>& part = parts.emplace_back(counts[i]);
        in_pieces(part.size(), [&](std::size_t at, int piece) {
            MPI_Irecv(part.data() + at, piece, MPI_BYTE, ranks[i], data_tag, MPI_COMM_WORLD,
                      &transfers.emplace_back(Transfer{ranks[i]}).request);
        });
    }
    complete(std::move(transfers));
    return parts;
}

constexpr int first[] = {0};
std::vector<int> all_but_first() {
    std::vector<int> ranks;
    for (int rank = 1; rank < size(); ++rank) ranks.push_back(rank);
    return ranks;
}

}  // namespace

bool start() {
    if (!launched() || running()) return false;
    // Open MPI asks hwloc for the machine, which would ask an X server for its graphics cards, and wait for one that
    // hangs and die with one that ends. We do not need to know.
    ::setenv("HWLOC_COMPONENTS", "-gl", 0);  // NOLINT(concurrency-mt-unsafe): no other thread runs yet
    // Where ranks share cores Open MPI yields in every call that finds nothing new. A worker polls after every window
    // and would give its core away every time, to a program that computes for milliseconds. It yields by itself when it
    // waits (BackOff).
    ::setenv("OMPI_MCA_mpi_yield_when_idle", "0", 0);  // NOLINT(concurrency-mt-unsafe): likewise
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    return true;
}

void finish() {
    name_stage("the end of the program");
    barrier();
    hear_signs({});
    const Watchdog watchdog = guard();
    MPI_Finalize();
}

void limit_waiting(double seconds) {
    vigil().limit = seconds;
}

void name_stage(std::string stage) {
    vigil().stage = std::move(stage);
}

// So often that one that is late does not matter.
void give_sign() {
    if (!running() || vigil().limit <= 0 || seconds_since(vigil().told) < vigil().limit / 8) return;
    vigil().told = Clock::now();
    const auto tell = [](int to) {
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Isend(nullptr, 0, MPI_BYTE, to, life_tag, MPI_COMM_WORLD, &request);
        MPI_Request_free(&request);
    };
    if (rank() != 0) return tell(0);
    for (const int to : all_but_first()) tell(to);
}

Watchdog guard() {
    const double limit = size() > 1 ? vigil().limit : 0;
    const std::string report = rank_text(rank()) + " waits for another one, for " + vigil().stage;
    return {limit, [] { return 0; }, [] { return false; }, [report] { return report; }};
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
    if (rank() != 0) {
        send_to(first, mine);
        return {};
    }
    std::vector<std::vector<std::byte>> parts = receive_from(all_but_first());
    parts.emplace(parts.begin(), mine.begin(), mine.end());
    return parts;
}

std::vector<std::vector<std::byte>> all_gather(std::span<const std::byte> mine) {
    std::vector<std::byte> all;
    for (const std::vector<std::byte>& part : gather(mine)) {
        const std::uint64_t count = part.size();
        const auto head = std::as_bytes(std::span(&count, 1));
        all.insert(all.end(), head.begin(), head.end());
        all.insert(all.end(), part.begin(), part.end());
    }
    broadcast(all);
    std::vector<std::vector<std::byte>> parts;
    for (auto rest = std::span<const std::byte>(all); !rest.empty();) {
        std::uint64_t count = 0;
        std::memcpy(&count, rest.data(), sizeof count);
        rest = rest.subspan(sizeof count);
        parts.emplace_back(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(count));
        rest = rest.subspan(count);
    }
    return parts;
}

void broadcast(std::vector<std::byte>& bytes) {
    if (rank() == 0)
        send_to(all_but_first(), bytes);
    else
        bytes = std::move(receive_from(first).front());
}

void barrier() {
    (void)all_gather({});
}

}  // namespace engine::transport
