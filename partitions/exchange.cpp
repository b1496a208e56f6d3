#include "partitions/exchange.h"

#include <algorithm>
#include <numeric>

namespace partitions {

namespace {

constexpr double tolerance = 1.03;
constexpr std::size_t few = 4096;  // processes among which exchanges are looked for
constexpr std::size_t most_steps = 4096;

std::size_t at(int number) {
    return static_cast<std::size_t>(number);
}

class Exchange {
  public:
    Exchange(const Part& part, int parts, std::vector<int>& where)
        : part_(part),
          where_(where),
          load_(at(parts)),
          ties_(at(parts)) {
        for (std::size_t i = 0; i < where.size(); ++i) load_[at(where[i])] += part.costs[i];
        bound_ = tolerance * std::accumulate(load_.begin(), load_.end(), 0.0) / parts;
    }

    // False: nothing more can be done.
    bool step() {
        std::vector<int> heaviest(load_.size());
        std::iota(heaviest.begin(), heaviest.end(), 0);
        std::stable_sort(heaviest.begin(), heaviest.end(), [&](int a, int b) { return load_[at(a)] > load_[at(b)]; });
        for (const int from : heaviest) {
            if (load_[at(from)] <= bound_) return false;
            if (lighten(from)) return true;
        }
        return false;
    }

  private:
    struct Step {
        double heavier;  // of the two parts, afterwards; at least the bound
        double cut;      // by how much it grows
        int process = -1, other = -1, to = -1;
        bool better_than(const Step& best) const {
            if (best.process < 0) return true;
            return heavier != best.heavier ? heavier < best.heavier : cut < best.cut;
        }
    };

    void tie(int process) {
        std::fill(ties_.begin(), ties_.end(), 0);
        for (const Neighbour& neighbour : part_.neighbours[at(process)])
            ties_[at(where_[at(neighbour.number)])] += neighbour.weight;
    }
    // `shift`: what the step takes from the one part to the other.
    void consider(Step step, int from, double shift, double worthwhile, Step& best) const {
        const double heavier = std::max(load_[at(from)] - shift, load_[at(step.to)] + shift);
        if (heavier >= worthwhile) return;
        step.heavier = std::max(heavier, bound_);
        if (step.better_than(best)) best = step;
    }
    bool lighten(int from) {
        const double worthwhile = load_[at(from)] * (1 - 1e-9);
        Step best{0, 0};
        const auto count = static_cast<int>(where_.size());
        for (int process = 0; process < count; ++process) {
            const double cost = part_.costs[at(process)];
            if (where_[at(process)] != from || cost <= 0) continue;
            tie(process);
            for (int to = 0; to < static_cast<int>(load_.size()); ++to)
                if (to != from)
                    consider({0, ties_[at(from)] - ties_[at(to)], process, -1, to}, from, cost, worthwhile, best);
            if (where_.size() > few) continue;
            for (int other = 0; other < count; ++other) {
                const int to = where_[at(other)];
                if (to == from || part_.costs[at(other)] >= cost) continue;
                // What the other one brings along is not looked at: its ties would cost as much to find again.
                consider({0, ties_[at(from)] - ties_[at(to)], process, other, to}, from, cost - part_.costs[at(other)],
                         worthwhile, best);
            }
        }
        if (best.process < 0) return false;
        move(best.process, best.to);
        if (best.other >= 0) move(best.other, from);
        return true;
    }
    void move(int process, int to) {
        load_[at(where_[at(process)])] -= part_.costs[at(process)];
        load_[at(to)] += part_.costs[at(process)];
        where_[at(process)] = to;
    }

    const Part& part_;
    std::vector<int>& where_;
    std::vector<double> load_;
    std::vector<double> ties_;  // of one process to each part
    double bound_ = 0;
};

}  // namespace

void exchange(const Part& part, int parts, std::vector<int>& where) {
    Exchange exchange(part, parts, where);
    for (std::size_t steps = 0; steps < most_steps && exchange.step(); ++steps) {
    }
}

}  // namespace partitions
