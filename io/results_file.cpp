#include "io/results_file.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <span>
#include <sstream>

#include "engine/error.h"
#include "io/determinism_file.h"
#include "io/file.h"
#include "io/file_label.h"
#include "io/hdf5_file.h"
#include "io/image_check.h"
#include "io/results_performance.h"
#include "io/results_table.h"

namespace io {

namespace {

constexpr double no_reference = -1;  // as image_psnr

// Groups that hold no kind of process.
bool is_reserved(const std::string& name) {
    return name == "frames" || name == "workloads" || name == "performance" || name == "provenance" ||
           name == "determinism" || name == "series" || name == "records";
}

void write_frames(Hdf5Group& root, const Results& results) {
    Table table(root.create_group("frames"), "frame", results.frames.size());
    const std::vector<FrameResult>& frames = results.frames;
    table.add("workload", column_of<std::uint32_t>(frames, [](const auto& f) { return f.workload; }), "1",
              "row of /workloads");
    table.add("number", column_of<std::uint32_t>(frames, [](const auto& f) { return f.number; }), "1",
              "number of the frame in its recording");
    table.add("start_time", column_of<std::int64_t>(frames, [](const auto& f) { return f.start; }), "tick",
              "simulated time when the frame began; the attribute ticks_per_second of the file says what a tick is");
    table.add("end_time", column_of<std::int64_t>(frames, [](const auto& f) { return f.end; }), "tick",
              "simulated time when the frame was done");
    table.add("cycles", column_of<std::uint64_t>(frames, [](const auto& f) { return f.cycles; }), "cycle",
              "cycles of the GPU clock from begin to end, when the machine is idle and the driver's uploads are done",
              {}, true);
    table.add("image_psnr",
              column_of<double>(frames, [](const auto& f) { return f.image.present ? f.image.psnr : no_reference; }),
              "dB", "rendered image against the recorded reference; infinite when equal, -1 without a reference");
    table.add("image_largest_difference",
              column_of<std::uint32_t>(frames, [](const auto& f) { return f.image.largest_difference; }), "1",
              "largest difference of any colour of any pixel");
    table.add("image_ssim", column_of<double>(frames, [](const auto& f) { return f.image.ssim; }), "1",
              "structural similarity to the recorded reference (Wang 2004)");
    table.add("image_share_off", column_of<double>(frames, [](const auto& f) { return f.image.share_off; }), "1",
              "pixels with a colour off by more than 2");
    table.close();
}

std::vector<WorkloadResult> read_workloads(const Hdf5Group& root) {
    const Hdf5Group group = root.group("workloads");
    const std::vector<std::string> labels = group.read_texts("label");
    const std::vector<std::string> paths = group.read_texts("path");
    const std::vector<std::string> digests = group.read_texts("trace_digest");
    if (labels.size() != paths.size() || paths.size() != digests.size())
        group.fail("its datasets have different lengths");
    std::vector<WorkloadResult> workloads;
    for (std::size_t i = 0; i < paths.size(); ++i) workloads.push_back({labels[i], paths[i], digests[i]});
    return workloads;
}

void write_workloads(Hdf5Group& root, const Results& results) {
    Table table(root.create_group("workloads"), "workload", results.workloads.size());
    table.add_texts("label", column_of<std::string>(results.workloads, [](const auto& w) { return w.label; }),
                    "short name; with several workloads, also that of its folder of images");
    table.add_texts("path", column_of<std::string>(results.workloads, [](const auto& w) { return w.path; }),
                    "frame trace or recording");
    table.add_texts("trace_digest", column_of<std::string>(results.workloads, [](const auto& w) { return w.digest; }),
                    "XXH3-128 of the frames simulated");
    table.close();
}

// The row of bins of a histogram, named by the least value in each; histograms of one kind of unit share it. Throws
// InternalError if two of the same name differ.
std::size_t axis_of(const KindResults::Column& histogram, const KindResults& kind, Table& table,
                    std::map<std::string, std::size_t>& axes) {
    const auto [entry, is_new] = axes.try_emplace(histogram.axis);
    if (!is_new) {
        for (const KindResults::Column& other : kind.counters)
            if (other.axis == histogram.axis && other.edges != histogram.edges)
                throw engine::InternalError("histograms of " + kind.kind + " have different bins of one name, " +
                                            histogram.axis);
        return entry->second;
    }
    entry->second = table.add_axis(histogram.axis, histogram.edges);
    Hdf5Dataset& axis = table.axis(entry->second);
    axis.set_attribute("units", histogram.unit);
    axis.set_attribute("long_name", "least value of a bin; it ends before that of the next one, the last has no end");
    axis.set_attribute("bins", std::uint64_t{1});
    return entry->second;
}

void write_kind(Hdf5Group& root, const KindResults& kind, std::uint64_t frames) {
    Table table(root.create_group(kind.kind), "frame", frames);
    table.group().set_attribute("single", std::uint64_t{kind.single ? 1u : 0u});
    if (!kind.single) table.add_axis(kind.kind, kind.indices);
    std::map<std::string, std::size_t> bin_axes;
    for (const KindResults::Column& column : kind.counters) {
        TableAxes axes;
        if (!kind.single) axes.columns = 1;
        std::vector<std::pair<std::string, std::string>> attributes;
        if (!column.axis.empty()) {
            axes.depth = axis_of(column, kind, table, bin_axes);
            attributes = {{"bin_axis", column.axis}, {"bin_units", column.unit}};
        }
        if (!column.time.activity.empty())
            attributes.insert(attributes.end(), {{"class", column.time.activity}, {"by_whom", column.time.by}});
        table.add(column.name, column.values, column.axis.empty() ? column.unit : "1", column.doc, axes, true,
                  attributes);
    }
    table.close();
}

void write_series(Hdf5Group& root, const SeriesResults& series) {
    Table table(root.create_group(series.name), "interval", series.starts.size());
    table.group().set_attribute("long_name", series.doc);
    table.group().set_attribute("unit_axis", series.axis);
    table.add_axis(series.axis, series.indices);
    table.add("frame", series.frames, "1", "row of /frames");
    table.add("start_time", series.starts, "tick", "simulated time when the interval began, as /frames has it");
    table.add("end_time", series.ends, "tick", "simulated time when the interval ended");
    for (const SeriesResults::Column& column : series.columns)
        table.add(column.name, column.values, column.unit, column.doc, {0, 1});
    table.close();
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
}

void write_records(Hdf5Group& root, const RecordsResults& records) {
    constexpr std::uint64_t chunk_rows = 4096;
    Table table(root.create_group(records.name), "row", records.frames.size(), chunk_rows);
    table.group().set_attribute("long_name", records.doc);
    table.add("frame", records.frames, "1", "row of /frames");
    for (const models::Records::Column& column : records.columns) {
        std::vector<std::pair<std::string, std::string>> attributes;
        if (!column.meanings.empty()) attributes = {{"flag_meanings", joined(column.meanings)}};
        table.add(column.name, column.values, column.unit, column.doc, {}, false, attributes);
    }
    table.close();
}

std::string provenance_text(const Results& results, std::string_view name) {
    for (const NamedText& entry : results.provenance)
        if (entry.name == name) return entry.text;
    return "";
}

void write_contents(const NewFile& pending, const Results& results) {
    Hdf5File file = Hdf5File::create(pending.working_path(), pending.path(), label_bytes);
    Hdf5Group root = file.root();
    root.set_attribute("Conventions", "CF-1.10");
    root.set_attribute("title", "Tessera simulation results");
    root.set_attribute("source", provenance_text(results, "source"));
    root.set_attribute("history", provenance_text(results, "command_line"));
    root.set_attribute("status", results.complete ? "complete" : "partial");
    root.set_attribute("frames_committed", std::uint64_t{results.frames.size()});
    root.set_attribute("schema_version", std::uint64_t{results_version});
    root.set_attribute("ticks_per_second", static_cast<std::uint64_t>(results.ticks_per_second));
    root.set_attribute("digest", results_digest(results));
    write_frames(root, results);
    write_workloads(root, results);
    for (const KindResults& kind : results.kinds) write_kind(root, kind, results.frames.size());
    if (!results.series.empty()) {
        Hdf5Group series = root.create_group("series");
        for (const SeriesResults& one : results.series) write_series(series, one);
        series.close();
    }
    if (!results.records.empty()) {
        Hdf5Group records = root.create_group("records");
        for (const RecordsResults& one : results.records) write_records(records, one);
        records.close();
    }
    write_performance(root, results);
    write_determinism(root, results.determinism, results.complete);
    Hdf5Group provenance = root.create_group("provenance");
    for (const NamedText& entry : results.provenance) provenance.set_attribute(entry.name, entry.text);
    provenance.close();
    root.close();
    file.close();
}

// What does not read back is the fault of the disk or our own, never that of an input.
void check_written(const NewFile& pending, const Results& results) {
    const std::string failure = "cannot write " + pending.path().string() + ": it does not read back as it was written";
    try {
        if (results_digest(read_results(pending.working_path())) == results_digest(results)) return;
    } catch (const engine::InputError& error) {
        throw engine::IoError(failure + " (" + pending.in_own_name(error.what()) + ")");
    }
    throw engine::IoError(failure);
}

// Reads a dataset of [rows] or [rows, width].
template <class T>
std::vector<T> read_column(const Hdf5Dataset& dataset, std::uint64_t rows, std::uint64_t width = 1) {
    const std::vector<std::uint64_t> shape = dataset.shape();
    const std::uint64_t values = std::accumulate(shape.begin(), shape.end(), std::uint64_t{1}, std::multiplies<>());
    if (shape.empty() || shape[0] != rows || values != rows * width) dataset.fail("has an unexpected shape");
    return dataset.read<T>();
}
template <class T>
std::vector<T> read_column(const Hdf5Group& group, const std::string& name, std::uint64_t rows) {
    return read_column<T>(group.dataset(name), rows);
}

void read_frames(const Hdf5Group& root, Results& results) {
    const Hdf5Group group = root.group("frames");
    const std::uint64_t rows = group.dataset("frame").rows();
    if (rows != root.integer_attribute("frames_committed"))
        group.fail("holds " + std::to_string(rows) + " frames, the attribute frames_committed says another number");
    const auto workload = read_column<std::uint32_t>(group, "workload", rows);
    const auto number = read_column<std::uint32_t>(group, "number", rows);
    const auto start = read_column<std::int64_t>(group, "start_time", rows);
    const auto end = read_column<std::int64_t>(group, "end_time", rows);
    const auto cycles = read_column<std::uint64_t>(group, "cycles", rows);
    const auto psnr = read_column<double>(group, "image_psnr", rows);
    const auto largest = read_column<std::uint32_t>(group, "image_largest_difference", rows);
    const auto ssim = read_column<double>(group, "image_ssim", rows);
    const auto share_off = read_column<double>(group, "image_share_off", rows);
    for (std::size_t i = 0; i < rows; ++i) {
        const bool present = psnr[i] != no_reference;
        if (const std::string problem = problem_of({present, present ? psnr[i] : 0, largest[i], ssim[i], share_off[i]});
            !problem.empty())
            group.fail("row " + std::to_string(i) + ": image_" + problem);
        if (start[i] < 0 || end[i] < start[i])
            group.fail("row " + std::to_string(i) + ": ends at " + std::to_string(end[i]) + ", and begins at " +
                       std::to_string(start[i]));
        results.frames.push_back({workload[i],
                                  number[i],
                                  start[i],
                                  end[i],
                                  cycles[i],
                                  {present, psnr[i], largest[i], ssim[i], share_off[i]}});
    }
}

KindResults read_kind(const Hdf5Group& group, const std::string& name, std::uint64_t frames) {
    KindResults kind;
    kind.kind = name;
    kind.single = group.integer_attribute("single") != 0;
    kind.indices = {0};
    if (!kind.single) kind.indices = group.dataset(name).read<std::uint32_t>();
    for (const std::string& counter : group.names()) {
        if (counter == "frame" || (!kind.single && counter == name)) continue;
        const Hdf5Dataset dataset = group.dataset(counter);
        if (dataset.has_attribute("bins")) continue;  // the axis of a histogram
        KindResults::Column& column = kind.counters.emplace_back();
        column.name = counter;
        column.doc = dataset.text_attribute("long_name");
        const bool is_histogram = dataset.has_attribute("bin_axis");
        column.unit = dataset.text_attribute(is_histogram ? "bin_units" : "units");
        if (is_histogram) {
            column.axis = dataset.text_attribute("bin_axis");
            column.edges = group.dataset(column.axis).read<std::uint64_t>();
        }
        column.values = read_column<std::uint64_t>(dataset, frames, kind.values_in_frame(column));
        if (dataset.has_attribute("class"))
            column.time = {dataset.text_attribute("class"), dataset.text_attribute("by_whom")};
    }
    return kind;
}

SeriesResults read_series(const Hdf5Group& group, const std::string& name, std::uint64_t frames) {
    SeriesResults series;
    series.name = name;
    series.doc = group.text_attribute("long_name");
    series.axis = group.text_attribute("unit_axis");
    series.indices = group.dataset(series.axis).read<std::uint32_t>();
    const std::uint64_t rows = group.dataset("interval").rows();
    series.frames = read_column<std::uint32_t>(group, "frame", rows);
    series.starts = read_column<std::int64_t>(group, "start_time", rows);
    series.ends = read_column<std::int64_t>(group, "end_time", rows);
    for (std::size_t i = 0; i < rows; ++i) {
        if (series.frames[i] >= frames)
            group.fail("frame: row " + std::to_string(i) + ": is beyond the " + std::to_string(frames) +
                       " rows of /frames");
        if (series.starts[i] < 0 || series.ends[i] < series.starts[i])
            group.fail("row " + std::to_string(i) + ": ends at " + std::to_string(series.ends[i]) + ", and begins at " +
                       std::to_string(series.starts[i]));
    }
    for (const std::string& column : group.names()) {
        if (column == "interval" || column == series.axis || column == "frame" || column == "start_time" ||
            column == "end_time")
            continue;
        const Hdf5Dataset dataset = group.dataset(column);
        series.columns.push_back({column, dataset.text_attribute("units"), dataset.text_attribute("long_name"),
                                  read_column<std::uint64_t>(dataset, rows, series.indices.size())});
    }
    return series;
}

std::vector<std::string> split(const std::string& text) {
    std::istringstream stream(text);
    return {std::istream_iterator<std::string>(stream), {}};
}

RecordsResults read_records(const Hdf5Group& group, const std::string& name, std::uint64_t frames) {
    RecordsResults records;
    records.name = name;
    records.doc = group.text_attribute("long_name");
    const std::uint64_t rows = group.dataset("row").rows();
    records.frames = read_column<std::uint32_t>(group, "frame", rows);
    for (std::size_t i = 0; i < rows; ++i)
        if (records.frames[i] >= frames)
            group.fail("frame: row " + std::to_string(i) + ": is beyond the " + std::to_string(frames) +
                       " rows of /frames");
    for (const std::string& column : group.names()) {
        if (column == "row" || column == "frame") continue;
        const Hdf5Dataset dataset = group.dataset(column);
        models::Records::Column& added = records.columns.emplace_back();
        added = {column, dataset.text_attribute("units"), dataset.text_attribute("long_name")};
        added.values = read_column<std::uint64_t>(dataset, rows);
        if (!dataset.has_attribute("flag_meanings")) continue;
        added.meanings = split(dataset.text_attribute("flag_meanings"));
        for (std::size_t i = 0; i < rows; ++i)
            if (added.values[i] >= added.meanings.size())
                dataset.fail("row " + std::to_string(i) + ": expected one of " + std::to_string(added.meanings.size()) +
                             " meanings, found " + std::to_string(added.values[i]));
    }
    return records;
}

std::vector<NamedText> read_provenance(const Hdf5Group& group) {
    std::vector<NamedText> entries;
    for (const std::string& name : group.attribute_names()) entries.push_back({name, group.text_attribute(name)});
    return entries;
}

}  // namespace

FileKind results_kind() {
    return {"TESSERA RESULTS ", "results", results_version};
}

void write_results(const std::filesystem::path& path, const Results& results) {
    for (const KindResults& kind : results.kinds)
        if (is_reserved(kind.kind)) throw engine::InternalError("a process may not be of kind " + kind.kind);
    NewFile pending(path);
    write_contents(pending, results);
    write_label(pending.working_path(), results_kind());
    check_written(pending, results);
    pending.commit();
}

std::filesystem::path results_path(const std::filesystem::path& given) {
    std::error_code error;
    if (!std::filesystem::is_directory(given, error)) return given;
    const std::filesystem::path file = given / "results.h5";
    if (io::exists(file)) return file;
    const bool begun = io::exists(given / "resolved.toml");
    throw engine::IoError(given.string() + ": expected the folder of a run, found " +
                          (begun ? "a run of which no frame is done yet" : "no results.h5"));
}

Results read_results(const std::filesystem::path& path) {
    check_label(path, results_kind());
    const Hdf5File file = Hdf5File::open(path);
    const Hdf5Group root = file.root();
    Results results;
    results.ticks_per_second = static_cast<std::int64_t>(root.integer_attribute("ticks_per_second"));
    if (results.ticks_per_second < 1) root.fail("the attribute 'ticks_per_second' is out of range");
    const std::string status = root.text_attribute("status");
    if (status != "complete" && status != "partial")
        root.fail("the attribute 'status' is neither complete nor partial");
    results.complete = status == "complete";
    read_frames(root, results);
    results.workloads = read_workloads(root);
    const std::size_t workloads = results.workloads.size();
    for (std::size_t i = 0; i < results.frames.size(); ++i)
        if (results.frames[i].workload >= workloads)
            root.fail("/frames/workload: row " + std::to_string(i) + ": is beyond the " + std::to_string(workloads) +
                      " rows of /workloads");
    for (const std::string& name : root.names())
        if (!is_reserved(name)) results.kinds.push_back(read_kind(root.group(name), name, results.frames.size()));
    if (root.has("series")) {
        const Hdf5Group series = root.group("series");
        for (const std::string& name : series.names())
            results.series.push_back(read_series(series.group(name), name, results.frames.size()));
    }
    if (root.has("records")) {
        const Hdf5Group records = root.group("records");
        for (const std::string& name : records.names())
            results.records.push_back(read_records(records.group(name), name, results.frames.size()));
    }
    results.determinism = read_determinism(root);
    if (results.determinism.workloads.size() > results.workloads.size())
        root.fail("/determinism has more workloads than /workloads");
    results.provenance = read_provenance(root.group("provenance"));
    return results;
}

std::vector<WorkloadResult> read_workloads(const std::filesystem::path& path) {
    check_label(path, results_kind());
    return read_workloads(Hdf5File::open(path).root());
}

std::string stored_digest(const std::filesystem::path& path) {
    check_label(path, results_kind());
    return Hdf5File::open(path).root().text_attribute("digest");
}

bool is_complete(const std::filesystem::path& path) {
    check_label(path, results_kind());
    return Hdf5File::open(path).root().text_attribute("status") == "complete";
}

}  // namespace io
