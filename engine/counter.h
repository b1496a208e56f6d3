// Counters: what a block counts, declared once as one data member with unit and description. Histograms of what it
// counts are histogram.h, what it notes over time is series.h.
//
// A counter has one writer, the logical process that owns it, so it is a plain 64-bit integer. Ratios (hit rates, IPC)
// are divisions and belong to the reader of the results.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/archive.h"

namespace engine {

// The owner of counters: a kind of thing a machine has ("texture_cache"), and which one of its kind; -1: the only
// one.
struct CounterOwner {
    std::string kind;
    int index = -1;
    friend bool operator==(const CounterOwner&, const CounterOwner&) = default;
};

// Of a counter of cycles: what its owner did in them ("busy", "starved", "blocked"), and the kind of owner that it
// waited for. Empty: it counts something else.
struct CounterTime {
    std::string activity, by;
    friend bool operator==(const CounterTime&, const CounterTime&) = default;
    void serialize(Archive& archive) { archive(activity, by); }
};

class BinScale;
class Series;

// A histogram is a counter for each of its bins, one after the other, which have all else in common.
struct CounterInfo {
    CounterOwner owner;
    std::string name, unit, doc;
    const std::uint64_t* value;
    CounterTime time = {};
    const BinScale* bins = nullptr;  // null: it is no bin of a histogram
    std::uint32_t bin = 0;
};

// The list of a process's counters and series, each in the order of declaration.
class CounterList {
  public:
    explicit CounterList(CounterOwner process = {}) : process_(std::move(process)) {}
    CounterList(const CounterList&) = delete;  // counters are registered by address
    CounterList& operator=(const CounterList&) = delete;
    const std::vector<CounterInfo>& all() const { return counters_; }
    const std::vector<Series*>& series() const { return series_; }
    void serialize(Archive& archive);

    // Says of a counter of this list that it counts such cycles.
    void note_time(const std::uint64_t* place, CounterTime time) {
        for (CounterInfo& counter : counters_)
            if (counter.value == place) counter.time = std::move(time);
    }

  private:
    friend class Counter;
    friend class Histogram;
    friend class Series;
    friend struct CounterScope;
    CounterOwner process_;
    std::vector<CounterInfo> counters_;
    std::vector<std::uint64_t*> values_;
    std::vector<Series*> series_;
};

// Where a part of a process registers its counters. A part that stands for itself in results (a cache, one of several
// cores) is their owner; those of any other part are the process's.
struct CounterScope {
    CounterScope(CounterList* in)
        : list(in) {}  // NOLINT(google-explicit-constructor): a list is the scope of its process
    CounterScope(CounterList* in, CounterOwner part) : list(in), owner(std::move(part)) {}
    // Of the owner.
    const std::string& kind() const { return owner ? owner->kind : list->process_.kind; }
    CounterList* list;
    std::optional<CounterOwner> owner;
};

class Counter {
  public:
    Counter(const CounterScope& scope, std::string_view name, std::string_view unit, std::string_view doc) {
        scope.list->counters_.push_back({scope.owner.value_or(scope.list->process_), std::string(name),
                                         std::string(unit), std::string(doc), &value_});
        scope.list->values_.push_back(&value_);
    }
    Counter(const Counter&) = delete;
    Counter& operator=(const Counter&) = delete;
    void operator++() { ++value_; }
    void operator+=(std::uint64_t n) { value_ += n; }
    std::uint64_t value() const { return value_; }
    const std::uint64_t* place() const { return &value_; }  // as CounterInfo has it

  private:
    std::uint64_t value_ = 0;
};

// Counters of one thing by what it is for: "reads_texture", "reads_vertex".
template <std::size_t n>
class CounterRow {
  public:
    CounterRow(const CounterScope& scope, std::string_view stem, const std::array<std::string_view, n>& kinds,
               std::string_view unit, std::string_view doc)
        : CounterRow(scope, std::string(stem) + "_", kinds, unit, std::string(doc) + ": ",
                     std::make_index_sequence<n>()) {}
    Counter& operator[](std::size_t i) { return counters_[i]; }
    const Counter& operator[](std::size_t i) const { return counters_[i]; }
    static constexpr std::size_t size() { return n; }

  private:
    template <std::size_t... i>
    CounterRow(const CounterScope& scope, const std::string& stem, const std::array<std::string_view, n>& kinds,
               std::string_view unit, const std::string& doc, std::index_sequence<i...> /*all*/)
        : counters_{Counter(scope, stem + std::string(kinds[i]), unit, doc + std::string(kinds[i]))...} {}
    std::array<Counter, n> counters_;
};

}  // namespace engine
