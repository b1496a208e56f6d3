#include "io/results.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <span>

#include "engine/error.h"
#include "io/digest.h"

namespace io {

namespace {

using Processes = std::vector<std::unique_ptr<engine::LogicalProcess>>;

// Where a counter belongs: of which kind and which one of the kind.
struct Owner {
    std::string kind;
    int index;  // -1: the only one
    std::string counter;
};

// A process may be made of numbered parts and prefixes their counters: "vertex_processor_3_warps" of the process
// `geometry` is "warps" of vertex_processor[3].
Owner owner_of(const engine::LogicalProcess& process, const std::string& counter) {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    for (std::size_t at = counter.find('_'); at != std::string::npos; at = counter.find('_', at + 1)) {
        std::size_t end = at + 1;
        while (end < counter.size() && is_digit(counter[end])) ++end;
        if (end > at + 1 && end < counter.size() && counter[end] == '_' && process.index() < 0)
            return {counter.substr(0, at), std::stoi(counter.substr(at + 1, end)), counter.substr(end + 1)};
    }
    return {process.kind(), process.index(), counter};
}

KindResults& find_or_add_kind(const Owner& owner, std::vector<KindResults>& kinds) {
    for (KindResults& kind : kinds)
        if (kind.kind == owner.kind) return kind;
    KindResults& kind = kinds.emplace_back();
    kind.kind = owner.kind;
    kind.single = owner.index < 0;
    return kind;
}

std::uint32_t axis_index(const Owner& owner) {
    return owner.index < 0 ? 0 : static_cast<std::uint32_t>(owner.index);
}

// Adds the counter to the kind, and the owner to the kind's axis, if they are not there yet.
void add_counter(const Owner& owner, const engine::CounterInfo& counter, KindResults& kind) {
    if (std::find(kind.indices.begin(), kind.indices.end(), axis_index(owner)) == kind.indices.end())
        kind.indices.push_back(axis_index(owner));
    for (const KindResults::Column& column : kind.counters)
        if (column.name == owner.counter) return;
    kind.counters.push_back({owner.counter, counter.unit, counter.doc, {}});
}

}  // namespace

const KindResults* Results::find_kind(std::string_view kind) const {
    const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const KindResults& k) { return k.kind == kind; });
    return found == kinds.end() ? nullptr : &*found;
}

std::uint64_t Results::total(std::string_view kind, std::string_view counter) const {
    const KindResults* found = find_kind(kind);
    if (found == nullptr) return 0;
    for (const KindResults::Column& column : found->counters)
        if (column.name == counter)
            return std::accumulate(column.values.begin(), column.values.end(), std::uint64_t{0});
    return 0;
}

std::string results_digest(const Results& results) {
    Digest digest;
    digest.add("tessera results 1");
    digest.add(results.ticks_per_second);
    for (const WorkloadResult& workload : results.workloads) digest.add(workload.digest);
    digest.add(static_cast<std::uint64_t>(results.frames.size()));
    for (const FrameResult& frame : results.frames) {
        digest.add(frame.workload);
        digest.add(frame.number);
        digest.add(frame.start);
        digest.add(frame.end);
        digest.add(frame.cycles);
    }
    std::vector<const KindResults*> kinds;
    for (const KindResults& kind : results.kinds) kinds.push_back(&kind);
    std::sort(kinds.begin(), kinds.end(), [](const auto* a, const auto* b) { return a->kind < b->kind; });
    for (const KindResults* kind : kinds) {
        digest.add(kind->kind);
        digest.add(std::span<const std::uint32_t>(kind->indices));
        std::vector<const KindResults::Column*> columns;
        for (const KindResults::Column& column : kind->counters) columns.push_back(&column);
        std::sort(columns.begin(), columns.end(), [](const auto* a, const auto* b) { return a->name < b->name; });
        for (const KindResults::Column* column : columns) {
            digest.add(column->name);
            digest.add(column->unit);
            digest.add(std::span<const std::uint64_t>(column->values));
        }
    }
    return digest.hex();
}

ResultsCollector::ResultsCollector(const Processes& processes) {
    std::size_t values = 0;
    for (const auto& process : processes)
        for (const engine::CounterInfo& counter : process->counters().all()) {
            const Owner owner = owner_of(*process, counter.name);
            add_counter(owner, counter, find_or_add_kind(owner, kinds_));
            ++values;
        }
    for (KindResults& kind : kinds_) std::sort(kind.indices.begin(), kind.indices.end());
    std::size_t expected = 0;
    for (const KindResults& kind : kinds_) expected += kind.counters.size() * kind.indices.size();
    if (expected != values)
        throw engine::InternalError("processes of one kind have different counters, or two have the same name");
    for (const auto& process : processes)
        for (const engine::CounterInfo& counter : process->counters().all())
            places_.push_back(place_of(*process, counter));
    previous_.assign(places_.size(), 0);
}

ResultsCollector::Place ResultsCollector::place_of(const engine::LogicalProcess& process,
                                                   const engine::CounterInfo& counter) {
    const Owner owner = owner_of(process, counter.name);
    const KindResults& kind = find_or_add_kind(owner, kinds_);
    const auto index = std::lower_bound(kind.indices.begin(), kind.indices.end(), axis_index(owner));
    const auto column = std::find_if(kind.counters.begin(), kind.counters.end(),
                                     [&](const KindResults::Column& c) { return c.name == owner.counter; });
    return {static_cast<std::size_t>(&kind - kinds_.data()), static_cast<std::size_t>(index - kind.indices.begin()),
            static_cast<std::size_t>(column - kind.counters.begin())};
}

void ResultsCollector::add_frame(const std::vector<std::uint64_t>& counters, std::vector<KindResults>& kinds) {
    assert(counters.size() == places_.size());
    for (KindResults& kind : kinds)
        for (KindResults::Column& column : kind.counters)
            column.values.resize(column.values.size() + kind.indices.size());
    for (std::size_t i = 0; i < places_.size(); ++i) {
        KindResults& kind = kinds[places_[i].kind];
        std::vector<std::uint64_t>& values = kind.counters[places_[i].counter].values;
        values[values.size() - kind.indices.size() + places_[i].process] = counters[i] - previous_[i];
    }
    previous_ = counters;
}

}  // namespace io
