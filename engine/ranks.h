// Ranks: the processes of an MPI job, for a program that does not want to know about MPI.
//
// A program started by itself is rank 0 of 1 and never starts MPI. Where nothing else is said functions are collective:
// every rank calls them, in the same order, from the main thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/error.h"

namespace engine {

// One per program, made first in main(). Starts MPI if an MPI launcher started the program, and ends it at the end.
class Ranks {
  public:
    Ranks();
    ~Ranks();
    Ranks(const Ranks&) = delete;
    Ranks& operator=(const Ranks&) = delete;

    int rank() const { return rank_; }
    int size() const { return size_; }

    // Ends the program on all ranks at once, with this exit code. Not collective.
    [[noreturn]] void abort(ExitCode code) const;

    // A rank that waits for another one outside of a run, and sees no sign of life for so many seconds of wall time,
    // ends the program with exit code 1 and a line that names that rank and the stage. 0: never. Not collective.
    void limit_waiting(double seconds) const;
    void name_stage(const std::string& stage) const;  // "frame 7"; not collective
    // To be called now and then by a rank that works for long while others wait for it. Not collective.
    void give_sign() const;

    // By rank: the first rank that runs on the same computer.
    std::vector<int> nodes() const;
    // What every rank gave, in the order of ranks; on rank 0 only, empty elsewhere.
    std::vector<std::vector<std::byte>> gather(std::span<const std::byte> mine) const;
    std::vector<std::vector<std::uint64_t>> gather(std::span<const std::uint64_t> mine) const;
    // What rank 0 gave.
    void broadcast(std::vector<std::byte>& bytes) const;
    void broadcast(std::vector<std::uint64_t>& values) const;
    // True on all ranks if it is true on any: so that all stop when one could not go on.
    bool any(bool mine) const;

  private:
    bool started_ = false;
    int rank_ = 0, size_ = 1;
};

}  // namespace engine
