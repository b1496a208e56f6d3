// ProcessState: the state of one process as bytes: its own, what its ports have sent, and the messages under way to it.
// For checkpoints and for processes that move to another rank.
#pragma once

#include "engine/archive.h"
#include "engine/simulation.h"

namespace engine {

// The messages are those that the simulation says are in flight.
struct ProcessState {
    Simulation& simulation;
    LogicalProcess& process;

    void serialize(Archive& archive);
    // It goes on elsewhere.
    void leave() { process.wake_ = never; }
    // Whether its kind has a function for it.
    bool can_be_saved() const;

  private:
    void messages(Archive& archive);
};

}  // namespace engine
