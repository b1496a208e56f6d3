// What makes the texture caches of a machine one: the mesh between them, how cores and directories are connected to it,
// and the laws between them (memory/home/README.md).
#include <algorithm>

#include "models/machine_processes.h"
#include "models/network/placement.h"

namespace models {

using engine::Time;

bool Machine::has_directory() const {
    return has_home() && parameters_.home.needs().directory;
}

bool Machine::has_tables_of_cores() const {
    return has_home() && parameters_.home.needs().tables == HomeNeeds::Tables::of_cores;
}

HomeExit::Shape Machine::home_exit(int cluster) const {
    const HomeParameters& home = parameters_.home;
    const int cores = clusters();
    // A core tells of its accesses about 16 times an epoch, if all have as many.
    const int sum = std::max(1, home.epoch_accesses() / (16 * cores));
    const CacheArrayShape array = parameters_.texture_cache.shape(clocks_.gpu).array;
    return {home.shape(cores),
            static_cast<CoreNumber>(cluster),
            static_cast<std::uint32_t>(parameters_.texture_cache.mshrs()),
            static_cast<std::uint32_t>(home.reserved_mshrs()),
            array.sets * array.ways,
            static_cast<std::uint32_t>(sum),
            clocks_.gpu,
            parameters_.texture_cache.latency.count() * clocks_.gpu,
            HomeNetwork::note_time(cores, home.table_interval.count() * clocks_.gpu),
            SliceMap(parameters_.l2.line_blocks(), parameters_.l2.slices()),
            parameters_.observe.owners()};
}

void Machine::add_home(engine::Simulation& simulation) {
    if (!has_home()) return;
    const HomeParameters& home = parameters_.home;
    const MeshParameters& mesh = parameters_.mesh;
    const int cores = clusters(), slices = has_directory() ? parameters_.l2.slices() : 0;
    std::vector<NodeNumber> nodes = place_in_turn(cores, mesh.columns(), mesh.rows());
    if (slices > 0)
        for (const NodeNumber node : place_slices(mesh.placement(), slices, mesh.columns(), mesh.rows()))
            nodes.push_back(node);
    else
        nodes.push_back(static_cast<NodeNumber>(mesh.rows() / 2 * mesh.columns() + mesh.columns() / 2));
    const auto bytes = [](const Parameter<Bytes>& width) { return static_cast<std::uint32_t>(width.count()); };
    NetworkShape network{static_cast<int>(nodes.size()), static_cast<int>(nodes.size()), clocks_.gpu};
    network.mesh = {mesh.columns(),
                    mesh.rows(),
                    bytes(mesh.link_width),
                    bytes(mesh.header),
                    static_cast<std::uint32_t>(mesh.buffer()),
                    nodes,
                    nodes};
    home_network_ = &simulation.add<HomeNetwork>(HomeNetwork::Shape{
        home.shape(cores), static_cast<std::uint32_t>(home.epoch_accesses()), home.table_interval.count() * clocks_.gpu,
        home.table_latency.count() * clocks_.gpu, slices, network, parameters_.observe.owners()});
}

void Machine::connect_home(engine::Simulation& simulation) {
    if (!has_home()) return;
    const Time inject = parameters_.home.injection_latency.count() * clocks_.gpu;
    const Time deliver = parameters_.home.delivery_latency.count() * clocks_.gpu;
    int number = 0;
    for (Cluster* cluster : clusters_) {
        simulation.connect(cluster->home()->messages, home_network_->in[number], inject);
        simulation.connect(home_network_->out[number], cluster->home_messages[0], deliver);
        ++number;
    }
    if (!has_directory()) return;
    for (L2Slice* slice : l2_slices_) {
        simulation.connect(slice->to_cores[0], home_network_->in[number], inject);
        simulation.connect(home_network_->out[number], slice->evicted[0], deliver);
        ++number;
    }
}

void Machine::add_home_laws() {
    if (!has_home()) return;
    home_network_->add_laws(laws_);
    Sum asked, received, answered, lines, questions, owned, notes, sums, told, heard, sent_on, redirected;
    for (const Cluster* cluster : clusters_) {
        const HomeExit& home = *cluster->home();
        asked.add(home.misses_to_cores);
        received.add(home.requests_received);
        answered.add(home.served);
        lines.add(home.remote_hits);
        lines.add(home.remote_misses);
        questions.add(home.misses_to_table);
        owned.add(home.owned_misses);
        notes.add(home.notes);
        sums.add(home.sums);
        told.add(home.evictions_told);
        redirected.add(home.redirected);
    }
    asked.add(home_network_->passed_on);
    for (const L2Slice* slice : l2_slices_) {
        if (slice->owners() == nullptr) continue;
        asked.add(slice->owners()->sent_on);
        sent_on.add(slice->owners()->sent_on);
        heard.add(slice->owners()->evictions);
    }
    laws_.equal("requests to other cores = those received by them", asked, received);
    laws_.equal("lines sent to other cores = those that came from them", answered, lines);
    laws_.equal("misses that asked the table = its questions", questions, {home_network_->questions});
    laws_.equal("misses that the table left to their cores = those told so", {home_network_->owned}, owned);
    laws_.equal("notes of hits = those that came to the table", notes, {home_network_->notes});
    laws_.equal("sums of accesses = those that came to the agent", sums, {home_network_->sums});
    laws_.equal("lines that directories were told of = those that they heard of", told, heard);
    laws_.equal("requests that directories sent on = misses that were told so", sent_on, redirected);
}

}  // namespace models
