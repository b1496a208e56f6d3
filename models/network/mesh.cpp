#include "models/network/mesh.h"

#include <bit>
#include <cassert>
#include <cstdlib>

#include "models/structures/round_robin.h"

namespace models {
namespace {

constexpr std::array<std::string_view, Mesh::ports> port_names{"local", "east", "west", "north", "south"};
constexpr std::array<std::uint8_t, Mesh::ports> opposite{Mesh::local, Mesh::west, Mesh::east, Mesh::south, Mesh::north};

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
    Router router;
    router.holder.fill(no_input);
    inputs_.resize(nodes * ports);
    flits_.resize(nodes * ports * buffer_);
    routers_.assign(nodes, router);
    queues_.resize(nodes);
    active_.resize((nodes + 63) / 64);
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
    packets_[packet.number] = {begin, nobody, flits, to, static_cast<std::uint16_t>(links), packet.to};
    ++under_way_;
    Queue& queue = queues_[from];
    if (queue.first == nobody) {
        queue.first = packet.number;
        set_occupied(from, local);
    } else {
        packets_[queue.last].next = packet.number;
    }
    queue.last = packet.number;
    return begin;
}

void Mesh::decide() {
    moves_.clear();
    for (std::size_t word = 0; word < active_.size(); ++word)
        for (std::uint64_t bits = active_[word]; bits != 0; bits &= bits - 1) {
            const auto node =
                static_cast<std::uint32_t>(word * 64) + static_cast<std::uint32_t>(std::countr_zero(bits));
            if (routers_[node].occupied == 0)
                active_[word] &= ~(bits & -bits);
            else
                decide(node);
        }
}

// Which flits leave this router.
void Mesh::decide(std::uint32_t node) {
    Router& router = routers_[node];
    std::array<std::uint32_t, ports> asking{};  // by output: inputs, as bits
    std::uint32_t asked = 0;                    // outputs
    for (std::uint32_t bits = router.occupied; bits != 0; bits &= bits - 1) {
        const auto port = static_cast<std::uint32_t>(std::countr_zero(bits));
        if (input(node, port).left == 0) look_at_head(node, port);
        const std::uint8_t output = input(node, port).output;
        asking[output] |= 1U << port;
        asked |= 1U << output;
    }
    for (; asked != 0; asked &= asked - 1) {
        const auto output = static_cast<std::uint8_t>(std::countr_zero(asked));
        std::uint32_t chosen = router.holder[output];
        if (chosen == no_input)
            chosen = first_in_turn(asking[output], router.turn[output]);
        else if ((asking[output] >> chosen & 1U) == 0)
            continue;
        if (output != local && input(neighbour(node, output), opposite[output]).count == buffer_) continue;
        moves_.push_back({node, static_cast<std::uint8_t>(chosen), output});
    }
}

// The next packet of an input: where it goes from here.
void Mesh::look_at_head(std::uint32_t node, std::uint32_t port) {
    Input& in = input(node, port);
    in.packet = port == local ? queues_[node].first : flits_[(node * ports + port) * buffer_ + in.first];
    const Travelling& packet = packets_[in.packet];
    in.left = packet.flits;
    const Place here = places_[node], there = places_[packet.to];
    const int across = there.column - here.column, down = there.row - here.row;
    in.output = across > 0 ? east : across < 0 ? west : down < 0 ? north : down > 0 ? south : local;
}

void Mesh::move(engine::Time now) {
    delivered_.clear();
    for (const Move& each : moves_) {
        Router& router = routers_[each.node];
        Input& from = input(each.node, each.input);
        if (router.holder[each.output] == no_input) {
            router.holder[each.output] = each.input;
            router.turn[each.output] = static_cast<std::uint8_t>((each.input + 1) % ports);
        }
        const bool is_last = --from.left == 0;
        if (is_last) router.holder[each.output] = no_input;
        const std::uint32_t number = from.packet;
        bool is_empty;
        if (each.input == local) {
            Queue& queue = queues_[each.node];
            if (is_last) queue.first = packets_[number].next;
            is_empty = queue.first == nobody;
        } else {
            from.first = static_cast<std::uint16_t>(from.first + 1U == buffer_ ? 0 : from.first + 1U);
            is_empty = --from.count == 0;
        }
        if (is_empty) router.occupied &= static_cast<std::uint8_t>(~(1U << each.input));
        ++(*left_[each.node])[each.output];
        if (each.output != local) {
            pass_on(each, number);
        } else if (is_last) {
            const Travelling& packet = packets_[number];
            const engine::Time zero_load_time = zero_load(packet.links, packet.flits) * period_;
            traffic.leave(packet.flits, now + period_ - packet.begin - zero_load_time);
            delivered_.push_back(number);
            --under_way_;
        }
    }
}

// A flit into the next router.
void Mesh::pass_on(const Move& move, std::uint32_t packet) {
    const std::uint32_t node = neighbour(move.node, move.output), port = opposite[move.output];
    Input& to = input(node, port);
    assert(to.count < buffer_);
    const std::uint32_t place = to.first + std::uint32_t{to.count};
    flits_[(node * ports + port) * buffer_ + (place < buffer_ ? place : place - buffer_)] = packet;
    ++to.count;
    set_occupied(node, port);
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
    archive(packets_, inputs_, flits_, routers_, queues_, active_, under_way_);
}

}  // namespace models
