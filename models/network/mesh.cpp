#include "models/network/mesh.h"

#include <bit>
#include <cassert>
#include <cstdlib>

#include "models/structures/round_robin.h"

namespace models {
namespace {

constexpr std::array<std::string_view, Mesh::ports> port_names{"local", "east", "west", "north", "south"};
constexpr std::array<std::uint8_t, Mesh::ports> opposite{Mesh::local, Mesh::west, Mesh::east, Mesh::south, Mesh::north};

// 0: negative, 1: zero, 2: positive.
std::size_t sign_of(int number) {
    return static_cast<std::size_t>(1 + (number > 0) - (number < 0));
}
// By the signs of the columns and rows to go: along the row first.
constexpr std::array<std::array<std::uint8_t, 3>, 3> towards{{{Mesh::west, Mesh::west, Mesh::west},
                                                              {Mesh::north, Mesh::local, Mesh::south},
                                                              {Mesh::east, Mesh::east, Mesh::east}}};

// Of the inputs that ask, as bits, the first one behind the last one that had its turn.
constexpr auto first_behind = [] {
    std::array<std::array<std::uint8_t, 1U << Mesh::ports>, Mesh::ports> first{};
    for (std::uint32_t last = 0; last < Mesh::ports; ++last)
        for (std::uint32_t asking = 1; asking < 1U << Mesh::ports; ++asking)
            first[last][asking] = static_cast<std::uint8_t>(first_in_turn(asking, last + 1));
    return first;
}();

}  // namespace

Mesh::Mesh(const engine::CounterScope& scope, const NetworkShape& shape)
    : traffic(scope, shape.period),
      link_flits(scope, "link_flits", "flit", "flits carried by links between routers, a flit counted for every link"),
      period_(shape.period),
      link_width_(shape.mesh.link_width),
      header_(shape.mesh.header),
      buffer_(shape.mesh.buffer),
      input_nodes_(shape.mesh.input_nodes),
      output_nodes_(shape.mesh.output_nodes) {
    const auto nodes = static_cast<std::size_t>(shape.mesh.columns) * static_cast<std::size_t>(shape.mesh.rows);
    assert(input_nodes_.size() == static_cast<std::size_t>(shape.inputs));
    assert(output_nodes_.size() == static_cast<std::size_t>(shape.outputs));
    inputs_.resize(nodes * ports);
    flits_.resize(nodes * ports * buffer_);
    queues_.resize(nodes);
    outputs_.resize(nodes * ports);
    ready_.resize((nodes * ports + 63) / 64);
    moves_.resize(nodes * ports);
    const std::array<int, ports> to{0, 1, -1, -shape.mesh.columns, shape.mesh.columns};  // the neighbour's node
    for (int i = 0; i < static_cast<int>(nodes); ++i) {
        auto& flits =
            counters_.emplace_back(engine::CounterScope(scope.list, {scope.kind() + "_router", i}), "flits", port_names,
                                   "flit", "flits that left by an output, of which each carries one a cycle");
        for (std::uint32_t port = 0; port < ports; ++port) {
            left_.push_back(&flits[port]);
            places_.push_back(
                {static_cast<std::uint8_t>(i % shape.mesh.columns), static_cast<std::uint8_t>(i / shape.mesh.columns)});
            ports_of_.push_back(port);
            next_.push_back(static_cast<std::uint32_t>(i + to[port]) * ports + opposite[port]);
        }
    }
}

engine::Time Mesh::inject(engine::Time now, const Packet& packet) {
    const std::uint32_t node = input_nodes_[packet.from], input = node * ports + local;
    const Place from = places_[input], to = places_[std::uint32_t{output_nodes_[packet.to]} * ports];
    const std::uint32_t flits = (header_ + packet.data + link_width_ - 1) / link_width_;
    const int links = std::abs(to.column - from.column) + std::abs(to.row - from.row);
    traffic.enter(flits, packet.data);
    link_flits += flits * static_cast<std::uint32_t>(links);
    if (packet.number >= packets_.size()) packets_.resize(packet.number + std::size_t{1});
    const engine::Time begin = traffic.edge(now);
    assert(flits <= 0xffff);
    const Flit flit{packet.number, static_cast<std::uint16_t>(flits), to};
    packets_[packet.number] = {begin, flit, nobody, static_cast<std::uint16_t>(links), packet.to};
    ++under_way_;
    Queue& queue = queues_[node];
    if (queue.first == nobody) {
        queue.first = packet.number;
        look_at(flit, input, local);
    } else {
        packets_[queue.last].next = packet.number;
    }
    queue.last = packet.number;
    return begin;
}

// Which flits leave, before one of them moves. (The input of a router's own packets always has room.)
void Mesh::decide() {
    moving_ = 0;
    for (std::size_t word = 0; word < ready_.size(); ++word)
        for (std::uint64_t rest = ready_[word]; rest != 0; rest &= rest - 1) {
            const auto number =
                static_cast<std::uint32_t>(word * 64) + static_cast<std::uint32_t>(std::countr_zero(rest));
            const Output& output = outputs_[number];
            moves_[moving_++] = {number, first_behind[output.last][output.asks & output.can]};
        }
}

// The next packet of an input: where it goes from here.
inline void Mesh::look_at(const Flit& head, std::uint32_t input, std::uint32_t port) {
    Input& in = inputs_[input];
    in.head = head;
    in.left = head.flits;
    const Place here = places_[input];
    in.output = towards[sign_of(head.to.column - here.column)][sign_of(head.to.row - here.row)];
    ask(input - port + in.output, port);
}

void Mesh::move(engine::Time now) {
    delivered_.clear();
    for (std::size_t i = 0; i < moving_; ++i) {
        const auto [by, port] = moves_[i];
        const std::uint32_t to = ports_of_[by], number = by - to + port;
        Output& output = outputs_[by];
        Input& from = inputs_[number];
        const Flit flit = from.head;
        const bool is_last = --from.left == 0;
        output.last = static_cast<std::uint16_t>(port);
        output.may = static_cast<Bits>(bit(port) | (is_last ? every : 0));
        const Flit* next = nullptr;  // that the input has then
        if (port == local) {
            Queue& queue = queues_[by / ports];
            if (is_last) queue.first = packets_[flit.packet].next;
            if (queue.first != nobody) next = &packets_[queue.first].flit;
        } else {
            from.first = static_cast<std::uint16_t>(from.first + 1U == buffer_ ? 0 : from.first + 1U);
            if (from.count-- == buffer_) {
                const std::uint32_t before = next_[number];
                outputs_[before].can = outputs_[before].may;
                note(before);
            }
            if (from.count > 0) next = &flits_[number * buffer_ + from.first];
        }
        if (next == nullptr || is_last) output.asks &= static_cast<Bits>(~bit(port));
        if (next != nullptr && is_last) look_at(*next, number, port);
        ++*left_[by];
        const bool has_room = to == local || pass_on(next_[by], opposite[to], flit);
        output.can = has_room ? output.may : Bits{0};
        note(by);
        if (to == local && is_last) leave(now, flit);
    }
}

// A flit into the next router. True if there is room for another one.
inline bool Mesh::pass_on(std::uint32_t input, std::uint32_t port, const Flit& flit) {
    Input& to = inputs_[input];
    assert(to.count < buffer_);
    const std::uint32_t place = to.first + std::uint32_t{to.count};
    flits_[input * buffer_ + (place < buffer_ ? place : place - buffer_)] = flit;
    ++to.count;
    if (to.left == 0)
        look_at(flit, input, port);
    else
        ask(input - port + to.output, port);
    return to.count < buffer_;
}

// The last flit of a packet leaves its last router.
void Mesh::leave(engine::Time now, const Flit& flit) {
    const Travelling& packet = packets_[flit.packet];
    const engine::Time zero_load_time = zero_load(packet.links, flit.flits) * period_;
    traffic.leave(flit.flits, now + period_ - packet.begin - zero_load_time);
    delivered_.push_back(flit.packet);
    --under_way_;
}

void Mesh::add_laws(Laws& laws, const std::string& unit) const {
    traffic.add_laws(laws, unit);
    Sum links, ejected;
    for (const engine::CounterRow<ports>& router : counters_) {
        ejected.add(router[local]);
        for (const Port port : {east, west, north, south}) links.add(router[port]);
    }
    laws.equal(unit + ": flits of routers' local outputs = flits out", ejected, {traffic.flits_out});
    laws.equal(unit + ": flits of routers' links = flits x links of their ways", links, {link_flits});
}

void Mesh::serialize(engine::Archive& archive) {
    archive(packets_, inputs_, flits_, queues_, outputs_, ready_, under_way_);
}

}  // namespace models
