#include "engine/inbox.h"

namespace engine {

void Inbox::grow() {
    const std::size_t before = slots_.size(), after = std::max<std::size_t>(8, 2 * before);
    slots_.resize(after);
    heap_.reserve(after);
    free_.reserve(after);
    for (std::size_t place = after; place-- > before;) free_.push_back(static_cast<std::uint32_t>(place));
}

}  // namespace engine
