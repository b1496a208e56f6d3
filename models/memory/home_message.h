// What is said on the mesh that makes texture caches one (home/README.md): between cores, the agent in its middle (the
// central affinity table, or who counts the accesses of an epoch) and, with a directory, slices of the L2 cache. Each
// is an endpoint of the mesh: core i has number i; behind the cores comes the agent, or come the slices.
//
//     request     block, tile, entry   core, table or slice to the core that has the block, or should: `from` is whom
//                                      to answer
//     reply       entry, count         64 bytes. count 1: they were in the cache; 0: the L2 cache was asked
//     query       block, tile, entry, count   core to table: who owns the block? count: accesses to its bucket
//     own         entry                table to core: you do. It asks the L2 cache
//     note        block, count         core to table: so many hits in the block's bucket. No answer
//     owner       number, count        table to core: the bucket is the core's from now on (1), or no longer (0)
//     accesses    count                core to agent: so many since the last time
//     epoch       number               agent to all cores: this one begins
//     claims      number, count, claims       core to all others, in this epoch: buckets that it owns
//     evicted     block, at            core to slice: the line is no longer in its cache
//     recall      block                slice to core: give it up
//
// Whoever gets a message has room for it: there is at most one request for each MSHR of each core, and one of the
// others is done with as soon as it is read, but for queries and notes at a table (processes/home_network.h).
#pragma once

#include <array>
#include <cstdint>

#include "engine/units.h"
#include "models/frame_trace/memory.h"
#include "models/memory/home/home_shape.h"

namespace models {

struct HomeMessage {
    enum class Kind : std::uint8_t {
        request,
        reply,
        query,
        own,
        note,
        owner,
        accesses,
        epoch,
        claims,
        evicted,
        recall
    };
    static constexpr std::size_t most_claims = 5;
    static constexpr std::uint16_t everyone = 0xffff;  // all cores but the sender

    engine::Time at = 0;        // when it was evicted
    std::uint32_t number = 0;   // of a block, a bucket or an epoch
    std::uint32_t tile = none;  // of the fragment for which the block is wanted
    CoreNumber from = no_core;
    std::uint16_t to = no_core;
    std::uint8_t entry = 0;  // MSHR of whom to answer
    Kind kind = Kind::request;
    std::uint16_t count = 0;
    std::array<std::uint16_t, most_claims> buckets{};  // claimed
    std::array<std::uint8_t, most_claims> counters{};  // of the claimant, for each
    std::uint8_t spare = 0;

    // Bytes beside address and command.
    std::uint32_t data() const { return kind == Kind::reply ? block_bytes : kind == Kind::claims ? 2U * count : 0U; }
};
static_assert(sizeof(HomeMessage) == 40);

}  // namespace models
