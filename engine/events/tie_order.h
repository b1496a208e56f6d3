// TieOrder: another order of the messages that arrive at one process at one time, drawn from a seed. What a model gives
// for every seed does not hang on ties; what differs does, and the difference is their size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "engine/counter_rng.h"
#include "engine/events/message.h"

namespace engine {

// Of one process.
struct TieOrder {
    std::vector<int> place;         // by input port as declared: its place in the order
    std::uint32_t sender_mask = 0;  // senders of a bundle are ordered by their number XOR this

    // `process`: its number.
    TieOrder(std::uint64_t seed, int process, std::size_t inputs) : place(inputs) {
        CounterRng draws(seed, static_cast<std::uint64_t>(process));
        sender_mask = draws.below(order::most_senders);
        std::iota(place.begin(), place.end(), 0);
        for (std::size_t i = inputs; i > 1; --i)
            std::swap(place[i - 1], place[draws.below(static_cast<std::uint32_t>(i))]);
    }
};

}  // namespace engine
