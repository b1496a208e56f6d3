// Migration: moves processes from one rank to another one between two runs, with their state and the messages under way
// to them. Every rank has all processes of the machine; moving one means that another rank's copy of it goes on.
#pragma once

#include <vector>

#include "engine/simulation.h"

namespace engine {

class Migration {
  public:
    // To be called by all ranks, with the same list: the rank that runs each process from now on. Throws ConfigError on
    // all if a process cannot move.
    static void move(Simulation& simulation, const std::vector<int>& to);
};

}  // namespace engine
