#include "models/core/core_time.h"

namespace models {

void CoreTime::tell_programs(engine::Time now) {
    settle(now);
    for (std::size_t state = 0; state < core_states; ++state) {
        const std::uint32_t owner = state == static_cast<std::size_t>(CoreState::issue) ? issuing_ : oldest_;
        programs_[owner].cycles[state] += cycles[state].value() - told_[state];
        told_[state] = cycles[state].value();
    }
    issuing_ = programs_.issuing();
    oldest_ = programs_.oldest();
    programs_.set_told();
}

}  // namespace models
