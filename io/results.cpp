#include "io/results.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <span>

#include "engine/error.h"
#include "engine/histogram.h"
#include "io/digest.h"

namespace io {

namespace {

using Processes = std::vector<std::unique_ptr<engine::LogicalProcess>>;

KindResults& find_or_add_kind(const engine::CounterOwner& owner, std::vector<KindResults>& kinds) {
    for (KindResults& kind : kinds)
        if (kind.kind == owner.kind) return kind;
    KindResults& kind = kinds.emplace_back();
    kind.kind = owner.kind;
    kind.single = owner.index < 0;
    return kind;
}

std::uint32_t axis_index(const engine::CounterOwner& owner) {
    return owner.index < 0 ? 0 : static_cast<std::uint32_t>(owner.index);
}

// Adds the counter to the kind, and its owner to the kind's axis, if they are not there yet.
void add_counter(const engine::CounterInfo& counter, KindResults& kind) {
    const std::uint32_t index = axis_index(counter.owner);
    if (std::find(kind.indices.begin(), kind.indices.end(), index) == kind.indices.end()) kind.indices.push_back(index);
    for (const KindResults::Column& column : kind.counters)
        if (column.name == counter.name) return;
    kind.counters.push_back({counter.name, counter.unit, counter.doc, {}, counter.time});
    if (counter.bins == nullptr) return;
    kind.counters.back().axis = counter.bins->axis();
    kind.counters.back().edges = counter.bins->lower_edges();
}

}  // namespace

const KindResults* Results::find_kind(std::string_view kind) const {
    const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const KindResults& k) { return k.kind == kind; });
    return found == kinds.end() ? nullptr : &*found;
}

const RecordsResults* Results::find_records(std::string_view name) const {
    const auto found =
        std::find_if(records.begin(), records.end(), [&](const RecordsResults& r) { return r.name == name; });
    return found == records.end() ? nullptr : &*found;
}

const models::Records::Column* RecordsResults::find(std::string_view column) const {
    const auto found = std::find_if(columns.begin(), columns.end(),
                                    [&](const models::Records::Column& one) { return one.name == column; });
    return found == columns.end() ? nullptr : &*found;
}

const KindResults::Column& Results::column(std::string_view kind, std::string_view counter) const {
    if (const KindResults* found = find_kind(kind); found != nullptr)
        for (const KindResults::Column& column : found->counters)
            if (column.name == counter) return column;
    throw engine::InternalError("there is no counter '" + std::string(counter) + "' of '" + std::string(kind) + "'");
}

const SeriesResults* Results::find_series(std::string_view name) const {
    const auto found =
        std::find_if(series.begin(), series.end(), [&](const SeriesResults& s) { return s.name == name; });
    return found == series.end() ? nullptr : &*found;
}

std::uint64_t Results::total(std::string_view kind, std::string_view counter) const {
    const std::vector<std::uint64_t>& values = column(kind, counter).values;
    return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
}

std::uint64_t Results::total(std::string_view kind, std::string_view counter, std::size_t frame) const {
    const std::vector<std::uint64_t>& values = column(kind, counter).values;
    const auto count = static_cast<std::ptrdiff_t>(find_kind(kind)->values_in_frame(column(kind, counter)));
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(frame) * count;
    return std::accumulate(first, first + count, std::uint64_t{0});
}

namespace {

void add_to(Digest& digest, const SeriesResults& series) {
    digest.add(series.name);
    digest.add(series.axis);
    digest.add(std::span<const std::uint32_t>(series.indices));
    digest.add(std::span<const std::uint32_t>(series.frames));
    digest.add(std::span<const engine::Time>(series.starts));
    digest.add(std::span<const engine::Time>(series.ends));
    for (const SeriesResults::Column& column : series.columns) {
        digest.add(column.name);
        digest.add(column.unit);
        digest.add(std::span<const std::uint64_t>(column.values));
    }
}

void add_to(Digest& digest, const RecordsResults& records) {
    digest.add(records.name);
    digest.add(std::span<const std::uint32_t>(records.frames));
    for (const models::Records::Column& column : records.columns) {
        digest.add(column.name);
        digest.add(column.unit);
        for (const std::string& meaning : column.meanings) digest.add(meaning);
        digest.add(std::span<const std::uint64_t>(column.values));
    }
}

}  // namespace

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
            if (!column->axis.empty()) digest.add(std::span<const std::uint64_t>(column->edges));
        }
    }
    for (const SeriesResults& series : results.series) add_to(digest, series);
    for (const RecordsResults& records : results.records) add_to(digest, records);
    return digest.hex();
}

void add_series(const std::vector<models::TimeSeries>& noted, engine::Time offset, Results& results) {
    for (const models::TimeSeries& more : noted) {
        auto place = std::find_if(results.series.begin(), results.series.end(),
                                  [&](const SeriesResults& series) { return series.name == more.name; });
        if (place == results.series.end()) {
            SeriesResults& added = results.series.emplace_back();
            added.name = more.name;
            added.doc = more.doc;
            added.axis = more.axis;
            added.indices = more.indices;
            for (const models::TimeSeries::Column& column : more.columns)
                added.columns.push_back({column.name, column.unit, column.doc, {}});
            place = results.series.end() - 1;
        }
        for (std::size_t i = 0; i < more.intervals(); ++i) {
            place->frames.push_back(static_cast<std::uint32_t>(results.frames.size() - 1));
            place->starts.push_back(offset + more.edges[i]);
            place->ends.push_back(offset + more.edges[i + 1]);
        }
        for (std::size_t i = 0; i < more.columns.size(); ++i)
            place->columns[i].values.insert(place->columns[i].values.end(), more.columns[i].values.begin(),
                                            more.columns[i].values.end());
    }
}

void add_records(std::vector<models::Records>&& left, Results& results) {
    for (models::Records& more : left) {
        auto place = std::find_if(results.records.begin(), results.records.end(),
                                  [&](const RecordsResults& records) { return records.name == more.name; });
        if (place == results.records.end()) {
            RecordsResults& added = results.records.emplace_back();
            added.name = more.name;
            added.doc = more.doc;
            for (const models::Records::Column& column : more.columns)
                added.columns.push_back({column.name, column.unit, column.doc, column.meanings});
            place = results.records.end() - 1;
        }
        place->frames.insert(place->frames.end(), more.rows(), static_cast<std::uint32_t>(results.frames.size() - 1));
        for (std::size_t i = 0; i < more.columns.size(); ++i)
            place->columns[i].values.insert(place->columns[i].values.end(), more.columns[i].values.begin(),
                                            more.columns[i].values.end());
    }
}

ResultsCollector::ResultsCollector(const Processes& processes) {
    std::size_t values = 0;
    for (const auto& process : processes)
        for (const engine::CounterInfo& counter : process->counters().all()) {
            add_counter(counter, find_or_add_kind(counter.owner, kinds_));
            ++values;
        }
    for (KindResults& kind : kinds_) std::sort(kind.indices.begin(), kind.indices.end());
    std::size_t expected = 0;
    for (const KindResults& kind : kinds_)
        for (const KindResults::Column& column : kind.counters) expected += kind.values_in_frame(column);
    if (expected != values)
        throw engine::InternalError("processes of one kind have different counters, or two have the same name");
    for (const auto& process : processes)
        for (const engine::CounterInfo& counter : process->counters().all()) places_.push_back(place_of(counter));
    previous_.assign(places_.size(), 0);
}

ResultsCollector::Place ResultsCollector::place_of(const engine::CounterInfo& counter) {
    const KindResults& kind = find_or_add_kind(counter.owner, kinds_);
    const auto index = std::lower_bound(kind.indices.begin(), kind.indices.end(), axis_index(counter.owner));
    const auto column = std::find_if(kind.counters.begin(), kind.counters.end(),
                                     [&](const KindResults::Column& c) { return c.name == counter.name; });
    return {static_cast<std::size_t>(&kind - kinds_.data()), static_cast<std::size_t>(index - kind.indices.begin()),
            static_cast<std::size_t>(column - kind.counters.begin()), counter.bin};
}

void ResultsCollector::go_on_from(const std::vector<std::uint64_t>& counters) {
    assert(counters.size() == places_.size());
    previous_ = counters;
}

void ResultsCollector::add_frame(const std::vector<std::uint64_t>& counters, std::vector<KindResults>& kinds) {
    assert(counters.size() == places_.size());
    for (KindResults& kind : kinds)
        for (KindResults::Column& column : kind.counters)
            column.values.resize(column.values.size() + kind.values_in_frame(column));
    for (std::size_t i = 0; i < places_.size(); ++i) {
        const Place& place = places_[i];
        KindResults& kind = kinds[place.kind];
        KindResults::Column& column = kind.counters[place.counter];
        const std::size_t first = column.values.size() - kind.values_in_frame(column);
        column.values[first + place.process * column.bins() + place.bin] = counters[i] - previous_[i];
    }
    previous_ = counters;
}

}  // namespace io
