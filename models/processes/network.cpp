#include "models/processes/network.h"

#include "models/workload/messages.h"

namespace models {
namespace {

// What the network asks of a message: the direction, where it goes, and how much data it has; a request is told where
// it came from.
std::string direction(const MemoryRequest* /*type*/) {
    return "request_";
}
std::string direction(const MemoryReply* /*type*/) {
    return "response_";
}
int output_of(const MemoryRequest& request, const SliceMap& slices, int first_cluster) {
    if (request.asks_peer()) return first_cluster + request.peer / PrefetchBlock::caches_of_cluster;
    return static_cast<int>(request.asks_for_page() ? slices.slices() : slices.slice(request.block));
}
int output_of(const MemoryReply& reply, const SliceMap& /*slices*/, int /*first_cluster*/) {
    return reply.requester;
}
std::uint32_t data_of(const MemoryRequest& request) {
    return request.operation == MemoryOperation::read ? 0 : bytes_of(request.sectors);
}
std::uint32_t data_of(const MemoryReply& reply) {
    return reply.operation == MemoryOperation::read ? bytes_of(reply.sectors) : 0;
}
void note_sender(MemoryRequest& request, int from) {
    if (request.is_passed_on == 0) request.requester = static_cast<std::uint16_t>(from);
}
void note_sender(MemoryReply& /*reply*/, int /*from*/) {}

}  // namespace

template <engine::Message M>
Network<M>::Network(const Shape& shape)
    : Base(direction(static_cast<const M*>(nullptr)) + std::string(Interconnect::names[shape.kind]), -1,
           shape.network.period),
      slices_(shape.line_blocks, shape.slices),
      first_cluster_(shape.first_cluster),
      interconnect_(shape.kind, engine::CounterScope(&this->counters()), shape.network),
      in(this, "in", shape.network.inputs, engine::handler<&Network::on_message>),
      out(this, "out", shape.network.outputs, shape.network.period) {}

template <engine::Message M>
void Network<M>::on_message(const M& message, int from) {
    M noted = message;
    note_sender(noted, from);
    const int to = output_of(message, slices_, first_cluster_);
    Packet packet{0, static_cast<std::uint16_t>(from), static_cast<std::uint16_t>(to), data_of(message)};
    this->needs_no_step();
    interconnect_.visit([&]<class Member>(Member& member) {
        if constexpr (Member::is_passive) {
            out[to].send(noted, member.pass(this->now(), packet));
        } else {
            packet.number = messages_.put(noted);
            this->wake_at(member.inject(this->now(), packet));
        }
    });
}

template <engine::Message M>
engine::Time Network<M>::step() {
    return interconnect_.visit([this]<class Member>([[maybe_unused]] Member& member) {
        if constexpr (Member::is_passive)
            return engine::never;
        else
            return member.step(this->now(), [this](std::uint32_t number, int output, engine::Time delay) {
                out[output].send(messages_.take(number), delay);
            });
    });
}

template <engine::Message M>
std::string Network<M>::unfinished() const {
    return messages_.used() == 0 ? "" : std::to_string(messages_.used()) + " messages on their way";
}

template <engine::Message M>
void Network<M>::add_laws(Laws& laws) const {
    interconnect_.visit([&](const auto& member) { member.add_laws(laws, this->name()); });
}

template class Network<MemoryRequest>;
template class Network<MemoryReply>;

}  // namespace models
