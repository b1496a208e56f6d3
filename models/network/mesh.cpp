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

}  // namespace

Mesh::Mesh(const engine::CounterScope& scope, const NetworkShape& shape)
    : traffic(scope, shape.period),
      link_flits(scope, "link_flits", "flit", "flits carried by links between routers, a flit counted for every link"),
      period_(shape.period),
      link_width_(shape.mesh.link_width),
      header_(shape.mesh.header),
      buffer_(shape.mesh.buffer),
      offsets_{0, 1, -1, -shape.mesh.columns, shape.mesh.columns},
      input_nodes_(shape.mesh.input_nodes),
      output_nodes_(shape.mesh.output_nodes) {
    const auto nodes = static_cast<std::size_t>(shape.mesh.columns) * static_cast<std::size_t>(shape.mesh.rows);
    assert(input_nodes_.size() == static_cast<std::size_t>(shape.inputs));
    assert(output_nodes_.size() == static_cast<std::size_t>(shape.outputs));
    inputs_.resize(nodes * ports);
    flits_.resize(nodes * ports * buffer_);
    queues_.resize(nodes);
    routers_.resize(nodes);
    awake_.resize((nodes + 63) / 64);
    for (int i = 0; i < static_cast<int>(nodes); ++i) {
        places_.push_back({i % shape.mesh.columns, i / shape.mesh.columns});
        left_.push_back(&counters_.emplace_back(engine::CounterScope(scope.list, {scope.kind() + "_router", i}),
                                                "flits", port_names, "flit",
                                                "flits that left by an output, of which each carries one a cycle"));
    }
}

engine::Time Mesh::inject(engine::Time now, const Packet& packet) {
    const NodeNumber from = input_nodes_[packet.from], to = output_nodes_[packet.to];
    const std::uint32_t flits = (header_ + packet.data + link_width_ - 1) / link_width_;
    const int links =
        std::abs(places_[to].column - places_[from].column) + std::abs(places_[to].row - places_[from].row);
    traffic.enter(flits, packet.data);
    link_flits += flits * static_cast<std::uint32_t>(links);
    if (packet.number >= packets_.size()) packets_.resize(packet.number + std::size_t{1});
    const engine::Time begin = traffic.edge(now);
    const Flit flit{packet.number, flits, to};
    packets_[packet.number] = {begin, flit, nobody, static_cast<std::uint16_t>(links), packet.to};
    ++under_way_;
    Queue& queue = queues_[from];
    if (queue.first == nobody) {
        queue.first = packet.number;
        look_at(flit, from, local);
    } else {
        packets_[queue.last].next = packet.number;
    }
    queue.last = packet.number;
    return begin;
}

void Mesh::decide() {
    moves_.clear();
    for (std::size_t word = 0; word < awake_.size(); ++word)
        for (std::uint64_t rest = awake_[word]; rest != 0; rest &= rest - 1)
            decide(static_cast<std::uint32_t>(word * 64) + static_cast<std::uint32_t>(std::countr_zero(rest)));
}

// Which flits leave this router. (The input of its own packets is never full.)
inline void Mesh::decide(std::uint32_t node) {
    const Router& router = routers_[node];
    for (std::uint32_t outputs = router.asked; outputs != 0; outputs &= outputs - 1) {
        const auto output = static_cast<std::uint8_t>(std::countr_zero(outputs));
        std::uint32_t asking = router.asks[output];
        if (router.holds[output] != 0) asking &= router.holds[output];
        if (asking == 0 || (routers_[neighbour(node, output)].full & bit(opposite[output])) != 0) continue;
        moves_.push_back({node, static_cast<std::uint8_t>(first_in_turn(asking, router.turns[output])), output});
    }
}

// The next packet of an input: where it goes from here.
void Mesh::look_at(const Flit& head, std::uint32_t node, std::uint32_t port) {
    Input& in = input(node, port);
    in.head = head;
    in.left = head.flits;
    const Place here = places_[node], there = places_[head.to];
    in.output = towards[sign_of(there.column - here.column)][sign_of(there.row - here.row)];
    ask(node, port);
}

void Mesh::move(engine::Time now) {
    delivered_.clear();
    for (const Move& each : moves_) {
        Router& router = routers_[each.node];
        Input& from = input(each.node, each.input);
        const Flit flit = from.head;
        const bool is_first = from.left == flit.flits, is_last = --from.left == 0;
        if (is_first) router.turns[each.output] = static_cast<std::uint8_t>((each.input + 1) % ports);
        if (is_first != is_last) router.holds[each.output] ^= bit(each.input);
        const Flit* next = nullptr;  // that the input has then
        if (each.input == local) {
            Queue& queue = queues_[each.node];
            if (is_last) queue.first = packets_[flit.packet].next;
            if (queue.first != nobody) next = &packets_[queue.first].flit;
        } else {
            from.first = static_cast<std::uint16_t>(from.first + 1U == buffer_ ? 0 : from.first + 1U);
            if (--from.count > 0) next = &flits_[(each.node * ports + each.input) * buffer_ + from.first];
            router.full &= static_cast<std::uint8_t>(~bit(each.input));
        }
        if (next == nullptr || is_last) ask_no_more(each.node, each.input, each.output);
        if (next != nullptr && is_last) look_at(*next, each.node, each.input);
        ++(*left_[each.node])[each.output];
        if (each.output != local) {
            pass_on(each, flit);
        } else if (is_last) {
            const Travelling& packet = packets_[flit.packet];
            const engine::Time zero_load_time = zero_load(packet.links, flit.flits) * period_;
            traffic.leave(flit.flits, now + period_ - packet.begin - zero_load_time);
            delivered_.push_back(flit.packet);
            --under_way_;
        }
    }
}

// A flit into the next router.
void Mesh::pass_on(const Move& move, const Flit& flit) {
    const std::uint32_t node = neighbour(move.node, move.output), port = opposite[move.output];
    Input& to = input(node, port);
    assert(to.count < buffer_);
    const std::uint32_t place = to.first + std::uint32_t{to.count};
    flits_[(node * ports + port) * buffer_ + (place < buffer_ ? place : place - buffer_)] = flit;
    ++to.count;
    if (to.count == buffer_) routers_[node].full |= bit(port);
    if (to.left == 0)
        look_at(flit, node, port);
    else
        ask(node, port);
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
    archive(packets_, inputs_, flits_, queues_, routers_, awake_, under_way_);
}

}  // namespace models
