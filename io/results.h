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
#include "engine/logical_process.h"
#include "engine/plan.h"
#include "engine/profile.h"
#include "engine/report.h"
#include "engine/units.h"
#include "io/determinism.h"
#include "models/frame_trace/frame_trace.h"

namespace io {

// The counters of all units of one kind (processes, or parts of them): value [counter][frame * units + unit].
struct KindResults {
    std::string kind;
    bool single = false;                 // the only one of its kind: no axis of processes
    std::vector<std::uint32_t> indices;  // of the processes, ascending; {0} when single
    struct Column {
        std::string name, unit, doc;
        std::vector<std::uint64_t> values;
        engine::CounterTime time = {};  // of cycles that a unit spends in one of its states
        friend bool operator==(const Column&, const Column&) = default;
        void serialize(engine::Archive& archive) { archive(name, unit, doc, values, time); }
    };
    std::vector<Column> counters;

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
        archive(ticks_per_second, workloads, frames, kinds, complete, determinism, performance, profile, provenance);
    }

    const KindResults* find_kind(std::string_view kind) const;
    // Sum over all frames and units. There must be such a counter.
    std::uint64_t total(std::string_view kind, std::string_view counter) const;
    std::uint64_t total(std::string_view kind, std::string_view counter, std::size_t frame) const;

  private:
    const KindResults::Column& column(std::string_view kind, std::string_view counter) const;
};

// Everything the simulation decided, and nothing else: ticks, workloads' digests, frames, kinds, counters with their
// names and values. The same for every number of threads and ranks, partition, order of processes and layout on disk.
std::string results_digest(const Results& results);

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
        std::size_t kind, process, counter;
    };
    Place place_of(const engine::CounterInfo& counter);

    std::vector<KindResults> kinds_;       // without values
    std::vector<Place> places_;            // of each counter of collect_counters()
    std::vector<std::uint64_t> previous_;  // its value at the end of the frame before
};

}  // namespace io
