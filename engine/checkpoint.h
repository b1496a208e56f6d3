// Checkpoint: the state of a stopped simulation as bytes, with which an equal machine goes on, on any number of threads
// and ranks, to the same end.
//
// Format: little-endian, without padding. A header: `tesseraK`, version (u32, 2), number of processes (u32), checksum
// of the wiring (u32), time (i64, ticks), window (i64, ticks), tie seed (u64), checksum of the header (u32). Then for
// every process, in the order of add(): length of its name (u64) and the name, length of its state (u64), checksum of
// its state (u32), its state: clock, counters, series, hash of its messages with the samples, its own fields, the
// positions of its channels, and the messages under way to it in their order (count (u64), then time (i64), order
// (u64), payload (40 bytes) of each; a smaller message is filled up with zeros). Checksums are CRC-32. The bytes do not
// depend on how the machine was run.
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
