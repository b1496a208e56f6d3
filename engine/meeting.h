// Meeting: where all workers of all ranks come together, in contrast to the links between two workers
// (transport/link.h) through which they go on in between. Called when somebody wants one: because it starves (the next
// thing to happen may be far away for all, so they agree on where that is and skip to it), because nothing is left to
// do, or because it cannot go on.
//
// The state that all touch is plain memory without pointers, which ranks of a node may share. Where there are several
// nodes, every rank has that memory for itself, and couriers (transport/courier.h) bring in what the others do.
#pragma once

#include <atomic>
#include <cstdint>

#include "engine/patience.h"
#include "engine/units.h"

namespace engine {

// What the crew of a rank (engine/crew.h) does when the meeting is over.
enum class Change : std::uint8_t { none, one_alone, deal_anew };

struct alignas(64) MeetingSeat {
    std::atomic<Time> next = never, last_window = never, reached = never;
    std::atomic<int> stop = 0;
    std::atomic<bool> failed = false;
    std::atomic<Change> change = Change::none;
};

// Followed in memory by one MeetingSeat for every participant.
struct MeetingMemory {
    alignas(64) std::atomic<std::uint64_t> wanted = 0;   // the number of the last meeting that somebody wanted
    std::atomic<Time> last_window = never;               // no later window is run
    alignas(64) std::atomic<std::uint64_t> arrived = 0;  // of all participants
    std::atomic<std::uint64_t> arrived_here = 0;  // of those that see this memory; never behind what is in arrived

    void raise_wanted(std::uint64_t to);
    void lower_last_window(Time to);
};

// One participant's view.
class Meeting {
  public:
    Meeting(MeetingMemory& memory, MeetingSeat* seats, int seat, int participants, bool spin)
        : memory_(&memory),
          seats_(seats),
          seat_(seat),
          participants_(participants),
          spin_(spin) {}

    void want() {
        if (!wanted()) memory_->raise_wanted(held_ + 1);
    }
    bool wanted() const { return memory_->wanted.load(std::memory_order_relaxed) > held_; }

    // All workers stop before the windows after this one; the earliest that anybody says counts.
    void stop_after(Time window) { memory_->lower_last_window(window); }
    Time last_window() const { return memory_->last_window.load(std::memory_order_relaxed); }

    // Waits until all have arrived. `meanwhile` is called again and again.
    template <class F>
    void arrive(F meanwhile, double& waited) {
        const auto expected = ++arrivals_ * static_cast<std::uint64_t>(participants_);
        memory_->arrived_here.fetch_add(1, std::memory_order_release);
        memory_->arrived.fetch_add(1, std::memory_order_acq_rel);
        Patience patience(spin_);
        while (memory_->arrived.load(std::memory_order_acquire) < expected) {
            meanwhile();
            patience.pause();
        }
        waited += patience.seconds();
    }
    // What a participant brings.
    struct Contribution {
        Time next;     // when it has something to do
        Time reached;  // the last window it has run, -1 if none
        int stop = 0;  // the signal that asks it to stop the run
        bool failed = false;
        Change change = Change::none;
    };
    // What all learn from what all bring; the same for all.
    struct Outcome {
        Time next = never;             // the least of all
        Time last_window = never;      // that is run
        Time reached = -1;             // no later window has been run by anybody
        int stop = 0;                  // of several signals that with the highest number
        bool failed = false;           // one of all
        Change change = Change::none;  // that one of all wants
    };
    // To be called by all after an arrive().
    template <class F>
    Outcome agree(const Contribution& mine, F meanwhile, double& waited) {
        sit_down(mine);
        arrive(meanwhile, waited);
        return read_seats();
    }

    std::uint64_t held() const { return held_; }

  private:
    void sit_down(const Contribution& mine);
    Outcome read_seats();

    MeetingMemory* memory_;
    MeetingSeat* seats_;
    int seat_, participants_;
    bool spin_;
    std::uint64_t held_ = 0, arrivals_ = 0;
};

}  // namespace engine
