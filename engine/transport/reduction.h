// Reduction: where all workers of all ranks agree on the least next event (the LBTS of the literature), in contrast to
// the links between two workers (transport/link.h) through which they go on in between. Requested by a worker that is
// blocked (the next event may be far away for all, so they skip to it), has nothing left to do, or cannot go on.
//
// The state that all touch is plain memory without pointers, which ranks of a node may share. Where there are several
// nodes, every rank has that memory for itself, and transports (transport/inter_node.h) bring in what the others do.
#pragma once

#include <atomic>
#include <cstdint>

#include "engine/threads/back_off.h"
#include "engine/units.h"

namespace engine {

struct alignas(64) ReductionSlot {
    std::atomic<Time> next = never, last_window = never, last_run = never;
    std::atomic<int> stop = 0;
    std::atomic<bool> failed = false;
};

// Followed in memory by one ReductionSlot for every participant.
struct ReductionMemory {
    alignas(64) std::atomic<std::uint64_t> requested = 0;  // the number of the last reduction asked for
    std::atomic<Time> last_window = never;                 // no later window is run
    alignas(64) std::atomic<std::uint64_t> arrived = 0;    // of all participants
    std::atomic<std::uint64_t> arrived_here = 0;  // of those that see this memory; never behind what is in arrived

    void raise_requested(std::uint64_t to);
    void lower_last_window(Time to);
};

// One participant's view.
class Reduction {
  public:
    Reduction(ReductionMemory& memory, ReductionSlot* slots, int slot, int participants, bool spin)
        : memory_(&memory),
          slots_(slots),
          seat_(slot),
          participants_(participants),
          spin_(spin) {}

    void request() {
        if (!requested()) memory_->raise_requested(held_ + 1);
    }
    bool requested() const { return memory_->requested.load(std::memory_order_relaxed) > held_; }

    // All workers stop before the windows after this one; the earliest of all counts.
    void stop_after(Time window) { memory_->lower_last_window(window); }
    Time last_window() const { return memory_->last_window.load(std::memory_order_relaxed); }

    // Waits until all have arrived. `meanwhile` is called again and again.
    template <class F>
    void arrive(F meanwhile, double& waited) {
        const auto expected = ++arrivals_ * static_cast<std::uint64_t>(participants_);
        memory_->arrived_here.fetch_add(1, std::memory_order_release);
        memory_->arrived.fetch_add(1, std::memory_order_acq_rel);
        BackOff back_off(spin_);
        while (memory_->arrived.load(std::memory_order_acquire) < expected) {
            meanwhile();
            back_off.pause();
        }
        waited += back_off.seconds();
    }
    // What a participant brings.
    struct Contribution {
        Time next;      // when it has something to do
        Time last_run;  // the last window it has run, -1 if none
        int stop = 0;   // why it is to stop the run (StopCondition); 0: it is not
        bool failed = false;
    };
    // What all learn from what all bring; the same for all.
    struct Result {
        Time next = never;         // the least of all
        Time last_window = never;  // that is run
        Time last_run = -1;        // no worker has run a later window
        int stop = 0;              // of several that with the highest number
        bool failed = false;       // one of all
    };
    // To be called by all after an arrive().
    template <class F>
    Result reduce(const Contribution& mine, F meanwhile, double& waited) {
        write_slot(mine);
        arrive(meanwhile, waited);
        return read_slots();
    }

    std::uint64_t held() const { return held_; }

  private:
    void write_slot(const Contribution& mine);
    Result read_slots();

    ReductionMemory* memory_;
    ReductionSlot* slots_;
    int seat_, participants_;
    bool spin_;
    std::uint64_t held_ = 0, arrivals_ = 0;
};

}  // namespace engine
