// Laws that the counters of a machine obey whenever it is idle: what goes in comes out, every request is answered, and
// what is done is what the frame asks for. They hold for the counters since the start and for the difference between
// any two idle moments, so for every frame. A violation is an error of a model, never of its user.
//
//     laws.equal("misses = fills", {cache.misses}, {cache.fills});
//     laws.last("cycles of its states = cycles of the frame", {unit.cycles_idle, unit.cycles_busy}, unit.period());
//
// Terms are counters themselves, not their names: a law about a counter that does not exist does not compile.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/histogram.h"
#include "engine/logical_process.h"

namespace models {

struct Violation {
    std::string law;  // "quads handed out = quads received by clusters"
    std::uint64_t left = 0, right = 0;
    std::string text() const;
};

// A sum of counters; of a histogram, of how many values are in it.
class Sum {
  public:
    Sum() = default;
    Sum(std::initializer_list<std::reference_wrapper<const engine::Counter>> counters) {
        for (const engine::Counter& counter : counters) add(counter);
    }
    void add(const engine::Counter& counter) { terms_.push_back(counter.place()); }
    void add(const engine::Histogram& histogram) {
        for (const std::uint64_t& bin : histogram.bins()) terms_.push_back(&bin);
    }
    template <std::size_t n>
    void add(const engine::CounterRow<n>& row) {
        for (std::size_t i = 0; i < n; ++i) add(row[i]);
    }
    template <std::size_t n>
    void add(const engine::HistogramRow<n>& row) {
        for (std::size_t i = 0; i < n; ++i) add(row[i]);
    }
    // Where they are, as CounterInfo has it.
    const std::vector<const std::uint64_t*>& terms() const { return terms_; }

  private:
    std::vector<const std::uint64_t*> terms_;
};

class Laws {
  public:
    void equal(std::string law, Sum left, Sum right) {
        laws_.push_back({std::move(law), std::move(left), std::move(right)});
    }

    // These counters of cycles, of a clock with this period in ticks, add up to all of the time.
    void last(std::string law, Sum cycles, engine::Time period) {
        lasting_.push_back({std::move(law), std::move(cycles), period});
    }

    struct Law {
        std::string text;
        Sum left, right;
    };
    struct LastingLaw {
        std::string text;
        Sum cycles;
        engine::Time period;
    };
    const std::vector<Law>& all() const { return laws_; }
    const std::vector<LastingLaw>& all_lasting() const { return lasting_; }

  private:
    std::vector<Law> laws_;
    std::vector<LastingLaw> lasting_;
};

// The values of all counters of a machine at an idle moment, or the difference between two: what laws are about.
class Ledger {
  public:
    using Processes = std::vector<std::unique_ptr<engine::LogicalProcess>>;

    // `values` in the order of Simulation::collect_counters(). `before`: to be subtracted, or empty.
    Ledger(const Processes& processes, const std::vector<std::uint64_t>& values,
           const std::vector<std::uint64_t>& before = {});

    std::uint64_t of(const engine::Counter& counter) const;
    std::uint64_t of(const Sum& sum) const;
    std::vector<Violation> violations(const Laws& laws) const;
    // Of the laws about time; `begin` and `end` are the moments between which was counted, in ticks.
    std::vector<Violation> violations(const Laws& laws, engine::Time begin, engine::Time end) const;

  private:
    std::unordered_map<const std::uint64_t*, std::uint64_t> values_;  // by place; looked up, never walked
};

}  // namespace models
