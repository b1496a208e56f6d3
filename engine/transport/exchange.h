// Exchange: what the ranks tell each other once per window.
//
// One MPI message goes to every other rank. It carries the earliest event of the sending rank and all messages for the
// receiving one; its arrival means that no more of this window will come. A batch that outgrows the size both sides
// expect is sent in two parts once, and the expected size follows the high-water mark.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "engine/outbox.h"

namespace engine::transport {

// Messages of one worker for the processes of one other rank.
class Parcel final : public Outbox {
  public:
    std::vector<Envelope>& contents() { return contents_; }

  private:
    void put(const Envelope& envelope) override { contents_.push_back(envelope); }
    std::vector<Envelope> contents_;
};

class Exchange {
  public:
    // Of the ranks there are, for `threads` workers of this rank. `spin`: every worker has a core of its own.
    Exchange(int threads, bool spin);
    ~Exchange();
    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;

    // Where a worker of this rank puts messages for a rank.
    Parcel& parcel(int thread, int rank);

    // By the main thread, while all workers of this rank wait: sends and empties the parcels, and returns the least
    // `next` of all ranks. Adds the seconds it waited.
    Time exchange(Time next, double& waited);

    // Calls f with every message that came with the last exchange, for all workers of this rank.
    template <class F>
    void for_received(F f) const {
        for (const std::span<const std::byte> batch : received_) {
            Envelope envelope;
            for (std::size_t at = 0; at < batch.size(); at += sizeof envelope) {
                std::memcpy(&envelope, batch.data() + at, sizeof envelope);
                f(envelope);
            }
        }
    }

    // The rank that is waited for; -1: none. For the watchdog, from any thread.
    int waiting_for() const { return waiting_for_.load(std::memory_order_relaxed); }

  private:
    struct Peer;  // another rank
    void start(Peer& peer, Time next);
    void receive(Peer& peer, double& waited);
    void wait(int rank, void* request, double& waited);

    bool spin_;
    std::vector<std::unique_ptr<Peer>> peers_;
    std::vector<std::span<const std::byte>> received_;  // envelopes, by peer
    std::atomic<int> waiting_for_ = -1;
};

}  // namespace engine::transport
