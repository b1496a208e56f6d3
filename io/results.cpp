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

KindResults describe(const engine::LogicalProcess& process) {
    KindResults kind;
    kind.kind = process.kind();
    kind.single = process.index() < 0;
    for (const engine::CounterInfo& counter : process.counters().all())
        kind.counters.push_back({counter.name, counter.unit, counter.doc, {}});
    return kind;
}

std::uint32_t axis_index(const engine::LogicalProcess& process) {
    return process.index() < 0 ? 0 : static_cast<std::uint32_t>(process.index());
}

std::size_t find_or_add_kind(const engine::LogicalProcess& process, std::vector<KindResults>& kinds) {
    const auto found =
        std::find_if(kinds.begin(), kinds.end(), [&](const KindResults& k) { return k.kind == process.kind(); });
    if (found != kinds.end()) {
        if (found->counters != describe(process).counters)
            throw engine::InternalError(process.name() + ": has other counters than the first of its kind");
        return static_cast<std::size_t>(found - kinds.begin());
    }
    kinds.push_back(describe(process));
    return kinds.size() - 1;
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
    for (const auto& process : processes)
        kinds_[find_or_add_kind(*process, kinds_)].indices.push_back(axis_index(*process));
    for (KindResults& kind : kinds_) {
        std::sort(kind.indices.begin(), kind.indices.end());
        if (std::adjacent_find(kind.indices.begin(), kind.indices.end()) != kind.indices.end())
            throw engine::InternalError(kind.kind + ": two processes of this kind have the same index");
    }
    for (const auto& process : processes) {
        const std::size_t kind = find_or_add_kind(*process, kinds_);
        const std::vector<std::uint32_t>& indices = kinds_[kind].indices;
        const auto place = std::lower_bound(indices.begin(), indices.end(), axis_index(*process));
        for (std::size_t counter = 0; counter < kinds_[kind].counters.size(); ++counter)
            places_.push_back({kind, static_cast<std::size_t>(place - indices.begin()), counter});
    }
    previous_.assign(places_.size(), 0);
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
