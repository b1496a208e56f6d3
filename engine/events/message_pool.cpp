#include "engine/events/message_pool.h"

#include <algorithm>
#include <cassert>

namespace engine {

void MessagePool::grow() {
    const std::size_t before = envelopes_.size(), after = std::max<std::size_t>(64, 2 * before);
    assert(after < none);
    envelopes_.resize(after);
    for (std::size_t place = after; place-- > before;) release(static_cast<std::uint32_t>(place));
}

}  // namespace engine
