#include "io/results_performance.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/error.h"
#include "io/file_label.h"
#include "io/results_file.h"
#include "io/results_table.h"

namespace io {

namespace {

using engine::RunReport;
using engine::WorkerReport;

void write_frames(Table& table, const Results& results) {
    const std::vector<RunReport>& rows = results.performance;
    table.add("wall_seconds", column_of<double>(rows, [](const auto& p) { return p.seconds; }), "s",
              "wall time of the simulation");
    const auto add = [&](const char* name, std::uint64_t RunReport::* member, const char* doc) {
        table.add(name, column_of<std::uint64_t>(rows, [member](const auto& p) { return p.*member; }), "1", doc);
    };
    add("messages", &RunReport::messages, "messages between processes");
    add("steps", &RunReport::steps, "clock cycles and alarms simulated, of all processes");
    add("windows", &RunReport::windows, "windows of simulated time that workers ran, of all workers");
    add("null_messages", &RunReport::null_messages, "clock advances sent from worker to worker, of all workers");
    add("reductions", &RunReport::reductions, "global reductions (LBTS) of all workers");
    add("sequential", &RunReport::sequential,
        "stretches between trials for which one worker did the work of all, as they found it faster");
    table.add("window_length", column_of<std::int64_t>(rows, [](const auto& p) { return p.window_length; }), "tick",
              "simulated time of a window: the least lookahead of the machine");
    std::vector<double> advances;  // longer than a window where windows without work are skipped
    for (std::size_t frame = 0; frame < rows.size(); ++frame) {
        const auto ticks = static_cast<double>(results.frames[frame].end - results.frames[frame].start);
        const double windows =
            static_cast<double>(rows[frame].windows) / static_cast<double>(rows[frame].workers.size());
        advances.push_back(windows > 0 ? ticks / windows : 0);
    }
    table.add("mean_advance", advances, "tick", "simulated time by which a worker came forward with a window, mean");
}

void write_workers(Table& table, const std::vector<RunReport>& rows) {
    std::size_t workers = 0;
    for (const RunReport& row : rows) workers = std::max(workers, row.workers.size());
    if (workers == 0) return;
    std::vector<std::uint32_t> numbers(workers);
    std::iota(numbers.begin(), numbers.end(), 0u);
    table.add_axis("worker", numbers);
    const auto add = [&]<class T>(const char* name, T WorkerReport::* member, const char* unit, const char* doc) {
        std::vector<T> values;
        for (const RunReport& row : rows)
            for (std::size_t w = 0; w < workers; ++w)
                values.push_back(w < row.workers.size() ? row.workers[w].*member : T{});
        table.add(name, values, unit, doc, {0, 1});
    };
    // All but long waits is known from some windows only.
    add("work_seconds", &WorkerReport::work, "s",
        "time a worker advanced processes (estimated from a sample of windows)");
    add("wait_seconds", &WorkerReport::wait, "s", "time a worker waited for others (short waits estimated likewise)");
    add("message_seconds", &WorkerReport::messages, "s",
        "time a worker spent on messages, clocks and windows (estimated likewise)");
    add("calendar_mark", &WorkerReport::calendar_mark, "1", "high-water mark of messages waiting for their window");
    add("backlog_mark", &WorkerReport::backlog_mark, "1", "high-water mark of messages waiting for one other worker");
}

void write_processes(Hdf5Group& group, const Results& results) {
    const auto& processes = results.profile.processes;
    Table table(group.create_group("processes"), "process", processes.size());
    table.add_texts("name", column_of<std::string>(results.graph.processes, [](const auto& p) { return p.name; }),
                    "name of the process");
    table.add("seconds", column_of<double>(processes, [](const auto& p) { return p.seconds; }), "s",
              "wall time in which it was advanced, in all frames (estimated from a sample of windows)");
    table.add("messages", column_of<std::uint64_t>(processes, [](const auto& p) { return p.messages; }), "1",
              "messages it consumed, in all frames");
    table.close();
}

void write_channels(Hdf5Group& group, const Results& results) {
    const auto& channels = results.graph.channels;
    Table table(group.create_group("channels"), "channel", channels.size());
    table.add("from", column_of<std::uint32_t>(channels, [](const auto& c) { return c.from; }), "1",
              "sender, a row of /performance/processes");
    table.add("to", column_of<std::uint32_t>(channels, [](const auto& c) { return c.to; }), "1", "receiver, likewise");
    table.add("lookahead", column_of<std::int64_t>(channels, [](const auto& c) { return c.lookahead; }), "tick",
              "least time from an event of the sender to the arrival of a message it causes");
    table.add("messages", results.profile.channels, "1", "messages sent, in all frames");
    table.close();
}

void write_bundles(Hdf5Group& group, const Results& results) {
    std::vector<std::uint32_t> bundles, senders;
    std::vector<std::uint64_t> messages;
    for (std::size_t i = 0; i < results.graph.bundles.size(); ++i)
        for (std::size_t s = 0; s < results.graph.bundles[i].from.size(); ++s) {
            bundles.push_back(static_cast<std::uint32_t>(i));
            senders.push_back(static_cast<std::uint32_t>(results.graph.bundles[i].from[s]));
            messages.push_back(results.profile.bundles[i][s]);
        }
    Table table(group.create_group("bundle_senders"), "sender", senders.size());
    table.add("bundle", bundles, "1", "bundle of channels, in the order in which the machine makes them");
    table.add("process", senders, "1", "sender, a row of /performance/processes");
    table.add("messages", messages, "1", "messages sent, in all frames");
    table.close();
}

}  // namespace

void write_performance(Hdf5Group& root, const Results& results) {
    Table table(root.create_group("performance"), "frame", results.performance.size());
    write_frames(table, results);
    write_workers(table, results.performance);
    for (const NamedNumber& total : results.totals) {
        table.group().set_attribute(total.name, total.value);
        table.group().set_attribute(total.name + "_units", total.unit);
    }
    if (results.profile.processes.size() == results.graph.processes.size() && !results.graph.processes.empty()) {
        write_processes(table.group(), results);
        write_channels(table.group(), results);
        write_bundles(table.group(), results);
    }
    table.close();
}

engine::Profile read_profile(const std::filesystem::path& path, const engine::Graph& graph) {
    check_label(path, results_kind());
    const Hdf5File file = Hdf5File::open(path);
    const Hdf5Group group = file.root().group("performance");
    if (!group.has("processes"))
        throw engine::ConfigError(path.string() + ": holds no profile, as no frame was done when it was written");
    const Hdf5Group processes = group.group("processes"), channels = group.group("channels"),
                    senders = group.group("bundle_senders");
    const auto refuse = [&](const std::string& what) {
        throw engine::ConfigError(path.string() + ": is of a machine with other " + what +
                                  " than this one; a profile fits the machine it was measured on");
    };
    if (processes.read_texts("name") !=
        column_of<std::string>(graph.processes, [](const auto& process) { return process.name; }))
        refuse("processes");
    if (channels.dataset("from").read<std::uint32_t>() !=
            column_of<std::uint32_t>(graph.channels, [](const auto& c) { return c.from; }) ||
        channels.dataset("to").read<std::uint32_t>() !=
            column_of<std::uint32_t>(graph.channels, [](const auto& c) { return c.to; }))
        refuse("channels");
    engine::Profile profile;
    const auto seconds = processes.dataset("seconds").read<double>();
    const auto messages = processes.dataset("messages").read<std::uint64_t>();
    const auto sent = senders.dataset("messages").read<std::uint64_t>();
    profile.channels = channels.dataset("messages").read<std::uint64_t>();
    std::size_t all_senders = 0;
    for (const engine::Graph::Bundle& bundle : graph.bundles) all_senders += bundle.from.size();
    if (sent.size() != all_senders) refuse("bundles of channels");
    if (seconds.size() != graph.processes.size() || messages.size() != seconds.size() ||
        profile.channels.size() != graph.channels.size())
        group.fail("its datasets have different lengths");
    for (std::size_t i = 0; i < seconds.size(); ++i) {
        if (!(seconds[i] >= 0) || std::isinf(seconds[i]))
            processes.fail("seconds: row " + std::to_string(i) + ": expected a time from 0 s, found " +
                           std::to_string(seconds[i]));
        profile.processes.push_back({seconds[i], messages[i]});
    }
    auto next = sent.begin();
    for (const engine::Graph::Bundle& bundle : graph.bundles) {
        const auto end = next + static_cast<std::ptrdiff_t>(bundle.from.size());
        profile.bundles.emplace_back(next, end);
        next = end;
    }
    return profile;
}

}  // namespace io
