// What the engine asks of MPI besides its windows: starting and ending, and a few collective operations over all ranks.
// Where MPI was not started they are those of one rank.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/error.h"

namespace engine::transport {

// Starts MPI if a launcher started this program (and MPI runs not yet); true if it did.
bool start();
void finish();
[[noreturn]] void abort(ExitCode code);

int rank();
int size();

// What every rank gave, in the order of ranks. Any size.
std::vector<std::vector<std::byte>> gather(std::span<const std::byte> mine);      // on rank 0, empty elsewhere
std::vector<std::vector<std::byte>> all_gather(std::span<const std::byte> mine);  // on every rank
void broadcast(std::vector<std::byte>& bytes);                                    // from rank 0
// Returns when all ranks have called it.
void barrier();

}  // namespace engine::transport
