// Home policies: where a block is looked for that misses in a core's own texture cache. To add one, write its file like
// static_home.h and name it here.
//
// A member is what one core knows; it is made of (HomeShape, number of the core). It is told of everything that the
// core's cache sees:
//
//     hit(block)               an access of its own core hits. Whether that makes the line recent, and what the central
//                              table is to be told
//     miss(block)              one misses; where to ask. Only once for an access, and not for one that waits for a line
//                              already asked for, which is a hit to it
//     serve(requester, block)  another core asks for a block. Whether a hit makes the line recent
//     needs                    what it needs elsewhere in the machine (HomeNeeds)
//
// What stands elsewhere is apart: the central table (affinity_table.h) with its epochs (epoch_counter.h), the directory
// of an L2 slice (directory.h). Plain data: no time, no ports; nothing is allocated once it is made. README.md says
// what each policy does and who sends what to whom.
#pragma once

#include <type_traits>

#include "models/memory/home/central_affinity_home.h"
#include "models/memory/home/directory_home.h"
#include "models/memory/home/distributed_affinity_home.h"
#include "models/memory/home/private_home.h"
#include "models/memory/home/static_home.h"
#include "models/structures/family.h"

namespace models {

using HomePolicy = Family<PrivateHome, StaticHome, DirectoryHome, CentralAffinityHome, DistributedAffinityHome>;

// Of the member with this number.
constexpr HomeNeeds needs_of(std::size_t policy) {
    constexpr auto needs =
        HomePolicy::of_each([]<class Member>(std::type_identity<Member> /*member*/) { return Member::needs; });
    return needs[policy];
}

}  // namespace models
