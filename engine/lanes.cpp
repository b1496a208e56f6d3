#include "engine/lanes.h"

#include <algorithm>
#include <typeinfo>

#include "engine/calendar.h"

namespace engine {

void Lanes::clear() {
    lanes_.clear();
    groups_.clear();
}

void Lanes::add(LogicalProcess& process, Time wake) {
    lanes_.push_back({&process, wake, nullptr, 0, Calendar::none, process.number()});
}

void Lanes::close() {
    const auto of_one_type = [](const Lane& a, const Lane& b) {
        const LogicalProcess &one = *a.process, &other = *b.process;
        return typeid(one) == typeid(other);
    };
    groups_.reserve(lanes_.size());  // lanes point at them
    for (auto begin = lanes_.begin(); begin != lanes_.end();) {
        const auto other = [&](const Lane& lane) { return !of_one_type(*begin, lane); };
        const auto end = std::find_if(begin, begin + std::min(LaneGroup::most, lanes_.end() - begin), other);
        LaneGroup& group = groups_.emplace_back(LaneGroup{{begin, end}, 0});
        for (std::uint64_t bit = 1; begin != end; ++begin, bit <<= 1U) {
            begin->group = &group;
            begin->bit = bit;
        }
    }
}

Time Lanes::next_wake(Time t) const {
    Time next = never;
    for (const Lane& lane : lanes_) {
        next = std::min(next, lane.wake);
        if (next == t) break;
    }
    return next;
}

}  // namespace engine
