#include "engine/dealing.h"

#include <numeric>

namespace engine {

namespace {

constexpr double uneven = 1.07;      // the busiest worker, in comparison to all on average
constexpr double worthwhile = 0.97;  // the load of the busiest one, in comparison to what it was
constexpr double most = 0.75;        // of the difference of two workers, that moves at once

std::size_t at(int number) {
    return static_cast<std::size_t>(number);
}

class Dealing {
  public:
    Dealing(const Bonds& bonds, Loads loads, std::vector<int>& owner)
        : bonds_(bonds),
          loads_(std::move(loads)),
          owner_(owner),
          channels_(owner.size()),
          bundles_(owner.size()) {
        for (const Graph::Channel& channel : bonds.graph.channels) {
            if (channel.from == channel.to) continue;
            channels_[at(channel.from)].push_back(&channel);
            channels_[at(channel.to)].push_back(&channel);
            if (owner[at(channel.from)] != owner[at(channel.to)]) least_ = std::min(least_, channel.lookahead);
        }
        for (const Graph::Bundle& bundle : bonds.graph.bundles)
            for (const auto* members : {&bundle.from, &bundle.to})
                for (const int member : *members) bundles_[at(member)].push_back(members);
        for (const int worker : owner) {
            loads_.workers.resize(std::max(loads_.workers.size(), at(worker) + 1));
            owned_.resize(loads_.workers.size());
            ++owned_[at(worker)];
        }
        loads_.processes.resize(owner.size());
    }

    // Until nothing helps the busiest worker any more.
    void deal() {
        while (relieve_busiest()) {
        }
    }
    double highest_load() const { return *std::max_element(loads_.workers.begin(), loads_.workers.end()); }

  private:
    bool relieve_busiest() {
        std::vector<int> workers(loads_.workers.size());
        std::iota(workers.begin(), workers.end(), 0);
        std::stable_sort(workers.begin(), workers.end(),
                         [this](int a, int b) { return loads_.workers[at(a)] < loads_.workers[at(b)]; });
        const int busiest = workers.back();
        if (owned_[at(busiest)] < 2) return false;
        return std::any_of(workers.begin(), workers.end(), [&](int worker) {
            const int process = worker == busiest || owned_[at(worker)] == 0 ? -1 : choose(busiest, worker);
            if (process < 0) return false;
            move(process, worker);
            return true;
        });
    }

    // The process that costs the least messages between workers for the load that it takes away; -1 if there is none.
    int choose(int from, int to) const {
        const double difference = loads_.workers[at(from)] - loads_.workers[at(to)];
        int best = -1;
        double best_price = 0;
        for (std::size_t i = 0; i < owner_.size(); ++i) {
            const double load = loads_.processes[i];
            if (owner_[i] != from || load <= 0 || load > most * difference) continue;
            const int process = static_cast<int>(i);
            const double price = added_messages(process, to) / load;
            if ((best >= 0 && price >= best_price) || !may_move(process, to)) continue;
            best = process;
            best_price = price;
        }
        return best;
    }
    double added_messages(int process, int to) const {
        double messages = 0;
        for (const Graph::Channel* channel : channels_[at(process)]) {
            const int other = owner_[at(channel->from == process ? channel->to : channel->from)];
            if (other == owner_[at(process)])
                messages += channel->messages;
            else if (other == to)
                messages -= channel->messages;
        }
        return messages;
    }
    bool may_move(int process, int to) const {
        const bool travels = to / bonds_.threads != owner_[at(process)] / bonds_.threads;
        if (travels && !bonds_.may_travel[at(process)]) return false;
        for (const Graph::Channel* channel : channels_[at(process)]) {
            const bool sends = channel->from == process;
            const int other = owner_[at(sends ? channel->to : channel->from)];
            if (other == to) continue;
            if (channel->lookahead < least_ ||
                !bonds_.links.contains(sends ? std::pair(to, other) : std::pair(other, to)))
                return false;
        }
        // Who joins others of its bundle there needs no links but theirs.
        return std::all_of(bundles_[at(process)].begin(), bundles_[at(process)].end(), [&](const auto* members) {
            return std::any_of(members->begin(), members->end(), [&](int member) { return owner_[at(member)] == to; });
        });
    }
    void move(int process, int to) {
        int& owner = owner_[at(process)];
        const double load = loads_.processes[at(process)];
        loads_.workers[at(owner)] -= load;
        loads_.workers[at(to)] += load;
        --owned_[at(owner)];
        ++owned_[at(to)];
        owner = to;
    }

    const Bonds& bonds_;
    Loads loads_;
    std::vector<int>& owner_;
    std::vector<std::vector<const Graph::Channel*>> channels_;   // by process
    std::vector<std::vector<const std::vector<int>*>> bundles_;  // by process: the lists of members it is one of
    std::vector<int> owned_;                                     // processes, by worker
    Time least_ = never;                                         // lookahead between workers
};

}  // namespace

Verdict judge(const Loads& loads, const std::vector<int>& owner) {
    const auto busiest = std::max_element(loads.workers.begin(), loads.workers.end());
    bool known = false;
    for (std::size_t i = 0; i < loads.processes.size(); ++i)
        known |= loads.processes[i] > 0 && owner[i] == busiest - loads.workers.begin();
    if (!known) return Verdict::unknown;
    const std::set<int> workers(owner.begin(), owner.end());
    const double sum = std::accumulate(loads.workers.begin(), loads.workers.end(), 0.0);
    return *busiest * static_cast<double>(workers.size()) > uneven * sum ? Verdict::uneven : Verdict::even;
}

bool deal_anew(const Bonds& bonds, Loads loads, std::vector<int>& owner) {
    std::vector<int> dealt = owner;
    Dealing dealing(bonds, std::move(loads), dealt);
    const double before = dealing.highest_load();
    dealing.deal();
    if (dealing.highest_load() > worthwhile * before) return false;
    owner = std::move(dealt);
    return true;
}

}  // namespace engine
