// What the engine asks of MPI besides its windows: starting and ending, and a few collective operations over all ranks.
// Where MPI was not started they are those of one rank. A rank that waits in one leaves its core to others, and not for
// ever: without a sign of life from the rank it waits for, it ends the program on all ranks with exit code 1 and a line
// that names both. Rank 0, for which all others wait, gives signs of life while it waits, so the rank that hangs is
// named. From the main thread.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "engine/error.h"
#include "engine/threads/watchdog.h"

namespace engine::transport {

// Starts MPI if a launcher started this program (and MPI runs not yet); true if it did.
bool start();
void finish();
[[noreturn]] void abort(ExitCode code);

int rank();
int size();

void limit_waiting(double seconds);  // of wall time, without a sign of life; 0: no limit; 300 until it is called
void name_stage(std::string stage);  // what ranks wait for each other for, in messages
// To be called now and then where one rank works for long while others wait for it; not collective.
void give_sign();
// For what else MPI does together: ends the program if it lives for longer than that limit.
Watchdog guard();

// What every rank gave, in the order of ranks. Any size.
std::vector<std::vector<std::byte>> gather(std::span<const std::byte> mine);      // on rank 0, empty elsewhere
std::vector<std::vector<std::byte>> all_gather(std::span<const std::byte> mine);  // on every rank
void broadcast(std::vector<std::byte>& bytes);                                    // from rank 0
// Returns when all ranks have called it.
void barrier();

}  // namespace engine::transport
