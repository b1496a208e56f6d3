// Errors under MPI: what one rank cannot do, no rank goes on from. Between the ranks' collective calls, everything that
// may fail on one rank alone goes through here; the error then is thrown on all ranks, and rank 0 can tell it.
#pragma once

#include <functional>

#include "engine/ranks.h"

namespace experiments {

// Runs the action on every rank. If it throws an engine::Error on any, all ranks throw that of the first such rank.
void on_all_ranks(const engine::Ranks& ranks, const std::function<void()>& action);

// The same, with the action on rank 0 only.
void on_first_rank(const engine::Ranks& ranks, const std::function<void()>& action);

}  // namespace experiments
