// Checkpoint: the state of a stopped simulation as bytes, with which an equal machine goes on, on any number of threads
// and ranks, to the same end. See engine/README.md for the format.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace engine {

class Simulation;

class Checkpoint {
  public:
    // Collective; what it returns is complete on rank 0 and empty elsewhere. Throws ConfigError naming a process whose
    // kind cannot be saved.
    static std::vector<std::byte> write(const Simulation& simulation);

    // On every rank, with the same bytes. Throws InputError naming the byte and the process if they are damaged, and
    // ConfigError if they are those of another machine; the simulation is then not fit for use.
    static void read(Simulation& simulation, std::span<const std::byte> bytes);
};

}  // namespace engine
