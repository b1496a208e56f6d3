#include "engine/transport/exchange.h"

#include <cassert>
#include <chrono>
#include <cstring>
#include <thread>

#include <mpi.h>

#include "engine/error.h"
#include "engine/patience.h"
#include "engine/transport/collectives.h"

namespace engine::transport {

namespace {

constexpr int window_tag = 2, rest_tag = 3;

struct Header {
    Time next;
    std::uint64_t count;  // envelopes in total
};
constexpr std::size_t first_expected = 4096;  // bytes; a power of two

// What both sides expect after a batch of this size.
std::size_t grown(std::size_t expected, std::size_t bytes) {
    while (expected < bytes) expected *= 2;
    return expected;
}

int mpi_count(std::size_t bytes) {
    assert(bytes <= std::size_t{1} << 30);  // of one window
    return static_cast<int>(bytes);
}

}  // namespace

struct Exchange::Peer {
    int rank;
    std::vector<std::unique_ptr<Parcel>> parcels;  // by thread
    std::size_t expected_out = first_expected, expected_in = first_expected;
    std::vector<std::byte> out, in;
    MPI_Request receive = MPI_REQUEST_NULL, send = MPI_REQUEST_NULL, send_rest = MPI_REQUEST_NULL;
};

Exchange::Exchange(int threads, bool spin) : spin_(spin) {
    for (int other = 0; other < size(); ++other) {
        if (other == rank()) continue;
        auto& peer = peers_.emplace_back(std::make_unique<Peer>());
        peer->rank = other;
        for (int i = 0; i < threads; ++i) peer->parcels.push_back(std::make_unique<Parcel>());
    }
    received_.resize(peers_.size());
}

Exchange::~Exchange() = default;

Parcel& Exchange::parcel(int thread, int rank) {
    for (const auto& peer : peers_)
        if (peer->rank == rank) return *peer->parcels[static_cast<std::size_t>(thread)];
    throw InternalError("no rank " + std::to_string(rank));
}

// All receives come before the first wait for a send, so no two ranks wait for each other's receive.
// The checker of MPI calls does not see that wait() completes the requests.
// NOLINTBEGIN(clang-analyzer-optin.mpi.MPI-Checker)
Time Exchange::exchange(Time next, double& waited) {
    for (const auto& peer : peers_) start(*peer, next);
    Time least = next;
    for (std::size_t i = 0; i < peers_.size(); ++i) {
        Peer& peer = *peers_[i];
        receive(peer, waited);
        Header header{};
        std::memcpy(&header, peer.in.data(), sizeof header);
        received_[i] = std::span(peer.in).subspan(sizeof header, header.count * sizeof(Envelope));
        least = std::min(least, header.next);
    }
    for (const auto& peer : peers_) {
        wait(peer->rank, &peer->send, waited);
        wait(peer->rank, &peer->send_rest, waited);
    }
    waiting_for_.store(-1, std::memory_order_relaxed);
    return least;
}

void Exchange::start(Peer& peer, Time next) {
    peer.in.resize(peer.expected_in);
    MPI_Irecv(peer.in.data(), mpi_count(peer.expected_in), MPI_BYTE, peer.rank, window_tag, MPI_COMM_WORLD,
              &peer.receive);
    Header header{next, 0};
    for (const auto& parcel : peer.parcels) header.count += parcel->contents().size();
    const std::size_t bytes = sizeof header + header.count * sizeof(Envelope);
    peer.out.resize(bytes);
    std::memcpy(peer.out.data(), &header, sizeof header);
    std::size_t at = sizeof header;
    for (const auto& parcel : peer.parcels) {
        std::vector<Envelope>& contents = parcel->contents();
        if (contents.empty()) continue;
        std::memcpy(peer.out.data() + at, contents.data(), contents.size() * sizeof(Envelope));
        at += contents.size() * sizeof(Envelope);
        contents.clear();
    }
    const std::size_t first = std::min(bytes, peer.expected_out);
    MPI_Isend(peer.out.data(), mpi_count(first), MPI_BYTE, peer.rank, window_tag, MPI_COMM_WORLD, &peer.send);
    if (bytes > first)
        MPI_Isend(peer.out.data() + first, mpi_count(bytes - first), MPI_BYTE, peer.rank, rest_tag, MPI_COMM_WORLD,
                  &peer.send_rest);
    peer.expected_out = grown(peer.expected_out, bytes);
}

void Exchange::receive(Peer& peer, double& waited) {
    wait(peer.rank, &peer.receive, waited);
    Header header{};
    std::memcpy(&header, peer.in.data(), sizeof header);
    const std::size_t bytes = sizeof header + header.count * sizeof(Envelope);
    if (bytes <= peer.expected_in) return;
    peer.in.resize(bytes);
    MPI_Irecv(peer.in.data() + peer.expected_in, mpi_count(bytes - peer.expected_in), MPI_BYTE, peer.rank, rest_tag,
              MPI_COMM_WORLD, &peer.receive);
    wait(peer.rank, &peer.receive, waited);
    peer.expected_in = grown(peer.expected_in, bytes);
}

void Exchange::wait(int rank, void* request, double& waited) {
    waiting_for_.store(rank, std::memory_order_relaxed);
    Patience patience(spin_);
    for (int done = 0;;) {
        MPI_Test(static_cast<MPI_Request*>(request), &done, MPI_STATUS_IGNORE);
        if (done != 0) break;
        if (!patience.pause()) std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
    waited += patience.seconds();
}
// NOLINTEND(clang-analyzer-optin.mpi.MPI-Checker)

}  // namespace engine::transport
