// Counters: what a block counts, declared once as one data member with unit and description.
//
// A counter has one writer, the logical process that owns it, so it is a plain 64-bit integer. Ratios (hit rates, IPC)
// are divisions and belong to whoever reads the results.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/archive.h"

namespace engine {

struct CounterInfo {
    std::string name, unit, doc;
    const std::uint64_t* value;
};

// Owns the list of a process's counters, in the order of declaration. A part of a process (its cache, say) is
// constructed with the list and a prefix, and its counters are named "texture_cache_hits".
class CounterList {
  public:
    CounterList() = default;
    CounterList(const CounterList&) = delete;  // counters are registered by address
    CounterList& operator=(const CounterList&) = delete;
    const std::vector<CounterInfo>& all() const { return counters_; }
    void serialize(Archive& archive) {
        for (std::uint64_t* value : values_) archive(*value);
    }

  private:
    friend class Counter;
    std::vector<CounterInfo> counters_;
    std::vector<std::uint64_t*> values_;
};

struct CounterScope {
    CounterList* list;
    std::string prefix;  // "" or "texture_cache_"
};

class Counter {
  public:
    Counter(CounterList* list, std::string_view name, std::string_view unit, std::string_view doc)
        : Counter(CounterScope{list, ""}, name, unit, doc) {}
    Counter(const CounterScope& scope, std::string_view name, std::string_view unit, std::string_view doc) {
        scope.list->counters_.push_back(
            {scope.prefix + std::string(name), std::string(unit), std::string(doc), &value_});
        scope.list->values_.push_back(&value_);
    }
    Counter(const Counter&) = delete;
    Counter& operator=(const Counter&) = delete;
    void operator++() { ++value_; }
    void operator+=(std::uint64_t n) { value_ += n; }
    std::uint64_t value() const { return value_; }

  private:
    std::uint64_t value_ = 0;
};

}  // namespace engine
