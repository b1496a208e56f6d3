#include "models/network/mesh.h"

#include <bit>
#include <cassert>
#include <cstdlib>

#include "models/structures/round_robin.h"

namespace models {
namespace {

constexpr std::array<std::string_view, Mesh::ports> port_names{"local", "east", "west", "north", "south"};
constexpr std::array<std::uint8_t, Mesh::ports> opposite{Mesh::local, Mesh::west, Mesh::east, Mesh::south, Mesh::north};

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
      bytes_in(scope, "bytes_in", "byte", "address, command and data of messages that came in"),
      link_bytes(scope, "link_bytes", "byte", "the same carried by links, counted for every link"),
      router_bytes(scope, "router_bytes", "byte",
                   "the same of messages that were delivered, counted for every router on their way"),
      period_(shape.period),
      link_width_(shape.mesh.link_width),
      header_(shape.mesh.header),
      buffer_(shape.mesh.buffer),
      input_nodes_(shape.mesh.input_nodes),
      output_nodes_(shape.mesh.output_nodes) {
    const auto nodes = static_cast<std::size_t>(shape.mesh.columns) * static_cast<std::size_t>(shape.mesh.rows);
    assert(input_nodes_.size() == static_cast<std::size_t>(shape.inputs));
    assert(output_nodes_.size() == static_cast<std::size_t>(shape.outputs));
    const std::size_t lanes = nodes << port_bits, places = std::bit_ceil(buffer_);
    for (std::size_t i = 0; i < lanes; ++i)
        rings_.push_back({0, 0, static_cast<std::uint32_t>(i * places), static_cast<std::uint32_t>(places - 1)});
    flits_.resize(lanes * places);
    outputs_.resize(lanes);
    watched_.resize(lanes + 1);  // and one that is written and not counted
    moves_.resize(lanes + 1);
    left_.resize(lanes);
    const std::array<int, ports> to{0, 1, -1, -shape.mesh.columns, shape.mesh.columns};  // the neighbour's node
    for (std::uint32_t port = 0; port < ports; ++port)
        across_[port] = (static_cast<std::uint32_t>(to[port]) << port_bits) + opposite[port] - port;
    for (int i = 0; i < static_cast<int>(nodes); ++i) {
        auto& flits =
            counters_.emplace_back(engine::CounterScope(scope.list, {scope.kind() + "_router", i}), "flits", port_names,
                                   "flit", "flits that left by an output, of which each carries one a cycle");
        for (std::uint32_t port = 0; port < ports; ++port)
            left_[(static_cast<std::uint32_t>(i) << port_bits) + port] = &flits[port];
        places_.push_back(
            {static_cast<std::uint8_t>(i % shape.mesh.columns), static_cast<std::uint8_t>(i / shape.mesh.columns)});
    }
}

inline Mesh::Flit::Flit(std::uint32_t packet, Place from, Place to) {
    const int right = to.column - from.column, down = to.row - from.row;
    const std::uint64_t along_row = right < 0 ? west : east, along_column = down < 0 ? north : south;
    const auto columns = static_cast<std::uint64_t>(std::abs(right)), rows = static_cast<std::uint64_t>(std::abs(down));
    *this = Flit(columns | rows << 6 | along_row << 16 | along_column << 19 | std::uint64_t{packet} << 32).routed();
}

engine::Time Mesh::inject(engine::Time now, const Packet& packet) {
    const std::uint32_t node = input_nodes_[packet.from], input = node << port_bits;
    const Place from = places_[node], to = places_[output_nodes_[packet.to]];
    const std::uint32_t bytes = header_ + packet.data, flits = (bytes + link_width_ - 1) / link_width_;
    const int links = std::abs(to.column - from.column) + std::abs(to.row - from.row);
    traffic.enter(flits, packet.data);
    link_flits += flits * static_cast<std::uint32_t>(links);
    bytes_in += bytes;
    link_bytes += bytes * static_cast<std::uint32_t>(links);
    assert(bytes <= 0xffff);
    if (packet.number >= packets_.size()) packets_.resize(packet.number + std::size_t{1});
    const engine::Time begin = traffic.edge(now);
    packets_[packet.number] = {begin, static_cast<std::uint16_t>(flits), static_cast<std::uint16_t>(bytes),
                               static_cast<std::uint16_t>(links), packet.to};
    ++under_way_;
    Ring& ring = rings_[input];
    while (ring.count + flits > ring.mask + 1) grow(ring);
    const Flit flit(packet.number, from, to);
    for (std::uint32_t i = 1; i < flits; ++i) push(input, flit);
    push(input, flit.as_last());
    return begin;
}

// Twice the places, behind all others. (Before the first router there is no limit; what it had is left unused.)
void Mesh::grow(Ring& ring) {
    const auto begin = static_cast<std::uint32_t>(flits_.size());
    const std::uint32_t places = 2 * (ring.mask + 1);
    flits_.resize(begin + places);
    for (std::uint32_t i = 0; i < ring.count; ++i)
        flits_[begin + i] = flits_[ring.begin + ((ring.first + i) & ring.mask)];
    ring = {0, ring.count, begin, places - 1};
}

// Which flits leave, before one of them moves.
void Mesh::decide() {
    std::uint32_t moving = 0;
    for (std::uint32_t i = 0; i < watching_; ++i) {
        const std::uint32_t number = watched_[i];
        Output& output = outputs_[number];
        const std::uint32_t asking = output.asks & output.can, is_ready = asking != 0 ? 1 : 0;
        moves_[moving] = number << port_bits | first_behind[output.last][asking];
        watched_[moving] = number;
        output.asks = static_cast<Bits>((output.asks & every) | is_ready << watched_bit);
        moving += is_ready;
    }
    moving_ = watching_ = moving;
}

void Mesh::move(engine::Time now) {
    delivered_.clear();
    for (std::size_t i = 0; i < moving_; ++i) {
        const std::uint32_t by = moves_[i] >> port_bits, port = moves_[i] & port_mask;
        const std::uint32_t to = by & port_mask, router = by - to;
        Ring& from = rings_[router + port];
        const Flit* const flits = &flits_[from.begin];
        const Flit flit = flits[from.first];
        from.first = (from.first + 1) & from.mask;
        const Flit next = flits[from.first];  // if there is one
        if (from.count == buffer_) {          // There is room again. (At `local` this says nothing new of an output.)
            const std::uint32_t before = router + port + across_[port];
            outputs_[before].can = outputs_[before].may;
            watch(before, 1);
        }
        --from.count;
        Output& output = outputs_[by];
        output.asks &= static_cast<Bits>(~(1U << port));
        output.last = static_cast<std::uint16_t>(port);
        output.may = static_cast<Bits>(flit.is_last() ? every : 1U << port);
        ask(router + next.port(), port, from.count != 0 ? 1 : 0);
        ++*left_[by];
        if (to != local) {
            const std::uint32_t there = push(by + across_[to], flit.at_next_router());
            output.can = there < buffer_ ? output.may : Bits{0};
        } else {
            output.can = output.may;
            if (flit.is_last()) leave(now, flit.packet());
        }
    }
}

// The last flit of a packet leaves its last router.
void Mesh::leave(engine::Time now, std::uint32_t number) {
    const Travelling& packet = packets_[number];
    traffic.leave(packet.flits, packet.bytes - header_, late(now, number));
    router_bytes += packet.bytes * (packet.links + 1U);
    delivered_.push_back(number);
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
    laws.equal(unit + ": bytes that came in + bytes carried by links = bytes that routers handed on",
               {bytes_in, link_bytes}, {router_bytes});
}

void Mesh::serialize(engine::Archive& archive) {
    archive(packets_, rings_, flits_, outputs_, watched_, watching_, under_way_);
}

}  // namespace models
