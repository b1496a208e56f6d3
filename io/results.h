// The results of a run as they stand in memory: frames, the counters of every process in every frame, and beside them
// what is no result of the simulation (wall times, provenance). results_file.h stores them; checkpoints hold them as
// they are.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/archive.h"
#include "engine/instruments/profile.h"
#include "engine/instruments/report.h"
#include "engine/logical_process.h"
#include "engine/plan.h"
#include "engine/units.h"
#include "io/determinism.h"
#include "models/base/records.h"
#include "models/base/time_series.h"
#include "models/frame_trace/frame_trace.h"

namespace io {

// The counters of all units of one kind (processes, or parts of them): value [counter][frame * units + unit]; of a
// histogram [counter][(frame * units + unit) * bins + bin].
struct KindResults {
    std::string kind;
    bool single = false;                 // the only one of its kind: no axis of processes
    std::vector<std::uint32_t> indices;  // of the processes, ascending; {0} when single
    struct Column {
        std::string name, unit, doc;
        std::vector<std::uint64_t> values;
        engine::CounterTime time = {};          // of cycles that a unit spends in one of its states
        std::string axis = {};                  // of a histogram: what its row of bins is called; empty: it is none
        std::vector<std::uint64_t> edges = {};  // of its bins: the least value in each
        std::size_t bins() const { return axis.empty() ? 1 : edges.size(); }
        friend bool operator==(const Column&, const Column&) = default;
        void serialize(engine::Archive& archive) { archive(name, unit, doc, values, time, axis, edges); }
    };
    std::vector<Column> counters;

    std::size_t values_in_frame(const Column& column) const { return indices.size() * column.bins(); }

    std::uint64_t value(std::size_t counter, std::size_t frame, std::size_t process) const {
        return counters[counter].values[frame * indices.size() + process];
    }
    friend bool operator==(const KindResults&, const KindResults&) = default;
    void serialize(engine::Archive& archive) { archive(kind, single, indices, counters); }
};

struct FrameResult {
    std::uint32_t workload = 0;  // in Results::workloads
    std::uint32_t number = 0;    // in the recording
    engine::Time start = 0, end = 0;
    std::uint64_t cycles = 0;  // of the GPU clock
    models::ImageCheck image;

    void serialize(engine::Archive& archive) {
        archive(workload, number, start, end, cycles, image.present, image.psnr, image.largest_difference, image.ssim,
                image.share_off);
    }
};

struct WorkloadResult {
    std::string label;   // different for every workload; names its folder of images
    std::string path;    // as given
    std::string digest;  // of the frames simulated

    void serialize(engine::Archive& archive) { archive(label, path, digest); }
};

// What some units of a kind did in intervals of time: value [column][interval * units + unit].
struct SeriesResults {
    std::string name, doc;
    std::string axis;                    // the kind of unit
    std::vector<std::uint32_t> indices;  // of the units, ascending
    std::vector<std::uint32_t> frames;   // of each interval: its frame, a row of Results::frames
    std::vector<engine::Time> starts;    // of each interval, ticks
    std::vector<engine::Time> ends;
    struct Column {
        std::string name, unit, doc;
        std::vector<std::uint64_t> values;
        void serialize(engine::Archive& archive) { archive(name, unit, doc, values); }
    };
    std::vector<Column> columns;

    void serialize(engine::Archive& archive) { archive(name, doc, axis, indices, frames, starts, ends, columns); }
};

// Rows that frames left: value [row] of each column.
struct RecordsResults {
    std::string name, doc;
    std::vector<std::uint32_t> frames;  // of each row: its frame, a row of Results::frames
    std::vector<models::Records::Column> columns;

    // Null if there is none.
    const models::Records::Column* find(std::string_view column) const;
    void serialize(engine::Archive& archive) { archive(name, doc, frames, columns); }
};

struct NamedText {
    std::string name, text;

    void serialize(engine::Archive& archive) { archive(name, text); }
};
struct NamedNumber {
    std::string name, unit;
    double value = 0;
};

struct Results {
    std::int64_t ticks_per_second = 1;
    std::vector<WorkloadResult> workloads;
    std::vector<FrameResult> frames;
    std::vector<KindResults> kinds;
    std::vector<SeriesResults> series;
    std::vector<RecordsResults> records;
    bool complete = false;  // the run went to its end

    Determinism determinism;

    // Wall times and the like: no results, they differ from run to run.
    std::vector<engine::RunReport> performance;  // of each frame
    engine::Graph graph;                         // the machine as partitions see it
    engine::Profile profile;                     // of all frames
    std::vector<NamedNumber> totals;             // of the whole run, beside the wall times
    std::vector<NamedText> provenance;

    // What the machine itself says again, its graph, and what follows from the rest, the totals, is not in it.
    void serialize(engine::Archive& archive) {
        archive(ticks_per_second, workloads, frames, kinds, series, records, complete, determinism, performance,
                profile, provenance);
    }

    const KindResults* find_kind(std::string_view kind) const;
    const SeriesResults* find_series(std::string_view name) const;
    const RecordsResults* find_records(std::string_view name) const;
    // Sum over all frames and units, and bins of a histogram. There must be such a counter.
    std::uint64_t total(std::string_view kind, std::string_view counter) const;
    std::uint64_t total(std::string_view kind, std::string_view counter, std::size_t frame) const;

  private:
    const KindResults::Column& column(std::string_view kind, std::string_view counter) const;
};

// Everything the simulation decided, and nothing else: ticks, workloads' digests, frames, kinds, counters, series and
// records with their names and values. The same for every number of threads and ranks, partition, order of processes
// and layout on disk.
std::string results_digest(const Results& results);

// Appends what was noted in a frame, the last one of `results`; `offset`: the time of its workload's beginning, ticks.
void add_series(const std::vector<models::TimeSeries>& noted, engine::Time offset, Results& results);

// Appends the rows that a frame left, the last one of `results`.
void add_records(std::vector<models::Records>&& left, Results& results);

// Turns Simulation::collect_counters() of one frame after another into results.
class ResultsCollector {
  public:
    // Kinds of owners of counters in order of first appearance. Owners of one kind have the same counters.
    explicit ResultsCollector(const std::vector<std::unique_ptr<engine::LogicalProcess>>& processes);

    std::vector<KindResults> empty_kinds() const { return kinds_; }
    // Of a run that goes on: the values at the end of the last frame added before.
    void go_on_from(const std::vector<std::uint64_t>& counters);
    // Appends what was counted since the frame before. `counters`: the values so far, in the order of the processes.
    void add_frame(const std::vector<std::uint64_t>& counters, std::vector<KindResults>& kinds);

  private:
    struct Place {
        std::size_t kind, process, counter, bin;
    };
    Place place_of(const engine::CounterInfo& counter);

    std::vector<KindResults> kinds_;       // without values
    std::vector<Place> places_;            // of each counter of collect_counters()
    std::vector<std::uint64_t> previous_;  // its value at the end of the frame before
};

}  // namespace io
