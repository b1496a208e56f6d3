#include "engine/scheduling/migration.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "engine/scheduling/process_state.h"
#include "engine/transport/collectives.h"

namespace engine {

void Migration::move(Simulation& simulation, const std::vector<int>& to) {
    const std::vector<int> from = simulation.rank_;
    if (from == to) return;
    for (std::size_t i = 0; i < to.size(); ++i)
        if (from[i] != to[i] && !ProcessState{simulation, *simulation.processes_[i]}.can_be_saved())
            throw ConfigError(simulation.processes_[i]->name() + ": ran on rank " + std::to_string(from[i]) +
                              " and cannot move to rank " + std::to_string(to[i]) + ", as " +
                              simulation.processes_[i]->kind() + " has no function serialize()");
    const auto for_each_moved = [&](int rank, auto f) {
        for (std::size_t i = 0; i < to.size(); ++i)
            if (from[i] == rank && to[i] != rank) f(to[i], ProcessState{simulation, *simulation.processes_[i]});
    };
    const int here = transport::rank();
    std::vector<std::byte> mine;
    Archive out(&mine);
    for_each_moved(here, [&](int /*to*/, ProcessState state) {
        std::vector<std::byte> bytes;
        Archive archive(&bytes);
        state.serialize(archive);
        out(bytes);
        state.leave();
    });
    std::erase_if(simulation.in_flight_,
                  [&](const Envelope& envelope) { return to[static_cast<std::size_t>(envelope.receiver)] != here; });
    const std::vector<std::vector<std::byte>> parts = transport::all_gather(mine);
    for (int rank = 0; rank < static_cast<int>(parts.size()); ++rank) {
        Archive in{std::span<const std::byte>(parts[static_cast<std::size_t>(rank)])};
        for_each_moved(rank, [&](int destination, ProcessState state) {
            std::vector<std::byte> bytes;
            in(bytes);
            if (destination != here) return;
            Archive archive{std::span<const std::byte>(bytes)};
            state.serialize(archive);
        });
    }
    simulation.rank_ = to;
}

}  // namespace engine
