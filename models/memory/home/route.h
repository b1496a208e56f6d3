// What a home policy answers a core.
#pragma once

#include "models/memory/home/home_shape.h"

namespace models {

// Where a block that misses in a core's own cache is asked for.
struct Route {
    enum class To : std::uint8_t {
        memory,     // the L2 cache; the line comes into the core's own cache
        core,       // another core, in whose cache it is or comes; the core's own cache does not get the line
        table,      // the central affinity table, which knows the core that owns it
        directory,  // that of the L2 slice, which knows who has it
    };
    To to = To::memory;
    CoreNumber core = no_core;
    std::uint16_t accesses = 1;  // that the table is to count, hits that it has not been told of among them

    bool operator==(const Route&) const = default;
};

// What follows from a hit in a core's own cache.
struct HomeHit {
    bool recent = true;          // it counts as a use of the line for the replacement policy
    std::uint16_t accesses = 0;  // that the central table is to be told of now, all to the bucket of the block; 0: none
    bool operator==(const HomeHit&) const = default;
};

}  // namespace models
