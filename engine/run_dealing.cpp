// How processes are given to other workers of a run, of this rank and of others.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <set>
#include <span>
#include <utility>

#include "engine/migration.h"
#include "engine/run.h"
#include "engine/transport/collectives.h"

namespace engine {

namespace {

std::size_t at(int number) {
    return static_cast<std::size_t>(number);
}

struct Entry {
    std::int64_t number;
    double load;
};

// What all ranks know, on every rank.
std::vector<double> over_ranks(const std::vector<double>& mine) {
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < mine.size(); ++i)
        if (mine[i] > 0) entries.push_back({static_cast<std::int64_t>(i), mine[i]});
    std::vector<double> all(mine.size());
    for (const std::vector<std::byte>& part : transport::all_gather(std::as_bytes(std::span(entries))))
        for (std::size_t i = 0; i < part.size(); i += sizeof(Entry)) {
            Entry entry{};
            std::memcpy(&entry, part.data() + i, sizeof entry);
            all[static_cast<std::size_t>(entry.number)] = entry.load;
        }
    return all;
}

}  // namespace

// One that has others to do its work, or to give work to. Between ranks only if they share memory: a rank that waits
// for others in a collective operation carries nothing between nodes.
void Run::make_crew() {
    if (participants_.size() < 2 || options_.trial_seconds < 0) return;
    const std::vector<int> ranks = ranks_of_participants();
    const bool all_take_part = std::set<int>(ranks.begin(), ranks.end()).size() == at(plan_.ranks);
    if (plan_.ranks > 1 && (nodes_.several() || !all_take_part)) return;
    std::vector<Worker*> workers;
    for (const auto& worker : workers_)
        if (worker != nullptr) workers.push_back(worker.get());
    Crew::Office office{
        {}, [this](const Loads& loads) { return plan_deal(loads); }, [this](Time window) { deal(window); }};
    if (plan_.ranks == 1) office.route = [this](bool alone) { route(alone); };
    crew_ = std::make_unique<Crew>(workers, std::move(office), rank_ == 0, options_.trial_seconds, options_.chaos);
    for (Worker* worker : workers) worker->join(*crew_);
    may_travel_ = plan_.ranks > 1 ? Migration::movable(simulation_) : std::vector<bool>(owner_.size());
}

// Over the links that there are.
Verdict Run::plan_deal(const Loads& mine) {
    Loads loads = mine;
    if (plan_.ranks > 1) {
        loads.workers.resize(at(plan_.ranks * plan_.threads));
        loads.processes.resize(simulation_.processes_.size());
        loads.workers = over_ranks(loads.workers);
        loads.processes = over_ranks(loads.processes);
    }
    const Verdict verdict = judge(loads, owner_);
    if (verdict != Verdict::uneven) return verdict;
    const Graph graph = simulation_.graph();
    std::set<std::pair<int, int>> links;
    for (const auto& [ends, number] : link_numbers_) links.insert(ends);
    planned_ = owner_;
    return deal_anew({graph, links, plan_.threads, may_travel_}, loads, planned_) ? Verdict::dealt : verdict;
}

// A promise of those that ran something else means nothing for what they run now.
void Run::deal(Time window) {
    owner_ = planned_;
    links_ = find_links();
    std::vector<std::vector<LogicalProcess*>> owned(workers_.size());
    for (const auto& process : simulation_.processes_)
        if (const int number = owner(*process); is_here(number))
            owned[at(number % plan_.threads)].push_back(process.get());
    for (std::size_t thread = 0; thread < workers_.size(); ++thread)
        if (workers_[thread] != nullptr) workers_[thread]->reassign(std::move(owned[thread]));
    transport::barrier();
    migrate(window);
    connect();
}

// What changes the rank.
void Run::migrate(Time window) {
    std::vector<int> ranks;
    for (const int worker : owner_) ranks.push_back(worker / plan_.threads);
    const std::vector<int> before = simulation_.rank_;
    if (ranks == before) return;
    Worker& leader =
        **std::find_if(workers_.begin(), workers_.end(), [](const auto& worker) { return worker != nullptr; });
    std::vector<Envelope>& in_flight = simulation_.in_flight_;
    leader.calendar().hand_on(window, [&](const Envelope& envelope) { in_flight.push_back(envelope); });
    const auto for_each_here = [&](const std::vector<int>& then, auto f) {
        for (std::size_t i = 0; i < ranks.size(); ++i)
            if (then[i] == rank_ && ranks[i] != before[i]) f(*simulation_.processes_[i]);
    };
    for_each_here(before, [&](LogicalProcess& process) { leader.let_go(process); });
    const std::vector<std::uint32_t> left = positions();
    Migration::move(simulation_, ranks);
    const std::vector<std::uint32_t> found = positions();
    // What others have sent before was counted where they did.
    for (std::size_t i = 0; i < found.size(); ++i) positions_[i] += found[i] - left[i];
    for_each_here(ranks, [&](LogicalProcess& process) { leader.take_in(process); });
    for (const Envelope& envelope : in_flight) leader.calendar().add(envelope);
    in_flight.clear();
}

}  // namespace engine
