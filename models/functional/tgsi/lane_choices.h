// Lanes that reach one of several things, by a number that each has computed: those with the same number do it
// together.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "models/functional/shader_batch.h"

namespace models::functional::tgsi {

// Calls reach(number, lanes) for each number that active lanes chose, in the order of their first lanes.
template <class Reach>
void for_each_choice(const std::array<std::int32_t, batch_lanes>& chosen, LaneMask active, Reach&& reach) {
    for (LaneMask rest = active; rest != 0;) {
        const std::int32_t number = chosen[static_cast<std::size_t>(std::countr_zero(rest))];
        LaneMask same = 0;
        for (std::size_t i = 0; i < batch_lanes; ++i) same |= LaneMask{chosen[i] == number} << i;
        reach(number, rest & same);
        rest &= ~same;
    }
}

}  // namespace models::functional::tgsi
