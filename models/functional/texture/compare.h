// The eight comparisons of depth, stencil, alpha and shadow tests.
#pragma once

#include "models/functional/texture/sampler_state.h"

namespace models::functional {

// Whether `incoming` passes against `stored`. Comparisons with NaN are false but for notequal and always.
template <class T>
constexpr bool compares(CompareFunction function, T incoming, T stored) {
    switch (function) {
        case CompareFunction::never:
            return false;
        case CompareFunction::less:
            return incoming < stored;
        case CompareFunction::equal:
            return incoming == stored;
        case CompareFunction::lequal:
            return incoming <= stored;
        case CompareFunction::greater:
            return incoming > stored;
        case CompareFunction::notequal:
            return incoming != stored;
        case CompareFunction::gequal:
            return incoming >= stored;
        case CompareFunction::always:
            return true;
    }
    return true;
}

}  // namespace models::functional
