#include "engine/transport/link.h"

#include <algorithm>

#include "engine/transport/outgoing.h"

namespace engine::transport {

template <class E>
void Outgoing::relieve(Lane<E>& lane) {
    if (!flush(lane) && lane.count == lane.gathered.size()) lane.gathered.resize(2 * lane.count);
}
template void Outgoing::relieve(Lane<Envelope>& lane);
template void Outgoing::relieve(Lane<SmallEnvelope>& lane);

template <class E>
bool Outgoing::hand_over(Lane<E>& lane) {
    most_gathered_ =
        std::max(most_gathered_, std::get<Lane<Envelope>>(lanes_).count + std::get<Lane<SmallEnvelope>>(lanes_).count);
    lane.handed_over +=
        memory_->ring_of<E>().push(lane.gathered.data() + lane.handed_over, lane.count - lane.handed_over);
    if (lane.handed_over < lane.count) return false;
    messages_ += lane.count;
    lane.count = lane.handed_over = 0;
    return true;
}
template bool Outgoing::hand_over(Lane<Envelope>& lane);
template bool Outgoing::hand_over(Lane<SmallEnvelope>& lane);

void Outgoing::forget_promises() {
    promised_ = 0;
    memory_->clock.store(0, std::memory_order_relaxed);
}

void Outgoing::publish(Time clock) {
    promised_ = clock;
    ++promises_;
    if (clock < lost_from_) memory_->clock.store(clock, std::memory_order_release);
}

}  // namespace engine::transport
