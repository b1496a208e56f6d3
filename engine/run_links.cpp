// Who of the workers of a run sends to whom, at the beginning and when processes have been given to others.

#include <algorithm>
#include <set>
#include <utility>

#include "engine/migration.h"
#include "engine/run.h"
#include "engine/transport/collectives.h"

namespace engine {

namespace {

std::size_t at(int number) {
    return static_cast<std::size_t>(number);
}

}  // namespace

Run::Links Run::find_links() const {
    Links links;
    const auto add = [&](const OutPort& port, int to) {
        const int from = owner(port.process());
        if (from == to) return;
        Lead& lead = links.try_emplace({from, to}, Lead{never, {}}).first->second;
        lead.lookahead = std::min(lead.lookahead, port.lookahead());
        Time& its = lead.senders.try_emplace(port.process().number_, never).first->second;
        its = std::min(its, port.lookahead());
    };
    for (const Simulation::Channel& channel : simulation_.channels_) add(*channel.from, owner(channel.to->process()));
    for (const Simulation::Bundle& bundle : simulation_.bundles_) {
        std::set<int> receivers;
        for (const InPort* port : bundle.to) receivers.insert(owner(port->process()));
        for (const FanOutPort* port : bundle.from)
            for (const int receiver : receivers) add(*port, receiver);
    }
    return links;
}

std::vector<Fabric::Link> Run::ends_of_links() const {
    std::vector<Fabric::Link> ends;
    for (const auto& [workers, lead] : links_)
        ends.push_back({workers.first / plan_.threads, workers.second / plan_.threads});
    return ends;
}

// One link for each pair of workers, however many channels lead from the one to the other.
void Run::connect() {
    const LostPromises& lost = options_.lost_promises;
    ways_.clear();
    for (const auto& [ends, lead] : links_) {
        const auto [from, to] = ends;
        transport::LinkMemory* const memory = &fabric_.link(link_numbers_.at(ends));
        const auto worker = [&](int number) -> Worker& { return *workers_[at(number % plan_.threads)]; };
        if (is_here(from)) {
            std::vector<Worker::Sender> senders;
            for (const auto& [sender, lookahead] : lead.senders)
                senders.push_back(
                    {simulation_.processes_[at(sender)].get(), windows_.is_urgent(lookahead, lead.lookahead)});
            ways_[ends] = &worker(from).send_to(*memory, std::move(senders));
            if (from == lost.from && to == lost.to) ways_[ends]->lose_promises_from(lost.time);
        }
        if (is_here(to)) worker(to).receive_from(*memory, from, lead.lookahead);
    }
    if (!simulation_.bundles_.empty()) {
        routes_.assign(workers_.size(), {});
        for (std::size_t thread = 0; thread < workers_.size(); ++thread)
            for (const auto& process : simulation_.processes_)
                routes_[thread].push_back(way(rank_ * plan_.threads + static_cast<int>(thread), owner(*process)));
    }
    route(false);
}

transport::Outgoing* Run::way(int from, int to) const {
    const auto found = ways_.find({from, to});
    return found == ways_.end() ? nullptr : found->second;
}

// Gives every port that sends from here to another worker the way to it, unless one worker does everything.
void Run::route(bool alone) {
    if (ways_.empty()) return;
    for (const Simulation::Channel& channel : simulation_.channels_)
        channel.from->outgoing_ = alone ? nullptr : way(owner(channel.from->process()), owner(channel.to->process()));
    for (const Simulation::Bundle& bundle : simulation_.bundles_)
        for (FanOutPort* port : bundle.from)
            if (const int from = owner(port->process()); is_here(from))
                port->routes_ = alone ? nullptr : &routes_[at(from % plan_.threads)];
}

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
    const Loads loads = mine.over_ranks();
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
