#include "io/determinism_file.h"

#include <cstddef>
#include <numeric>
#include <utility>

#include "io/results_table.h"

namespace io {

namespace {

using Message = engine::MessageLog::Message;

constexpr std::uint64_t chunk_rows = 4096;

void write_log(Hdf5Group& determinism, const engine::MessageLog& log, bool ended) {
    Hdf5Group group = determinism.create_group("messages");
    group.set_attribute("complete", std::uint64_t{log.complete && ended ? 1U : 0U});
    std::string note = "all messages of the range";
    if (!log.complete)
        note = "the range holds more messages; these are the first " + std::to_string(log.messages.size());
    if (!ended) note = "the run has not ended; messages are stored when their workload is done";
    group.set_attribute("note", note);
    Table table(std::move(group), "message", log.messages.size(), chunk_rows);
    table.add_axis("port", log.ports.size());
    table.add_axis("byte", engine::message_capacity);
    table.add_texts("port_name", log.ports, "ports of the processes", 1);
    const auto add = [&](const char* name, const char* unit, const char* doc, auto get) {
        using T = decltype(get(std::declval<const Message&>()));
        table.add(name, column_of<T>(log.messages, get), unit, doc);
    };
    add("time", "tick", "when it was consumed", [](const Message& m) { return m.time; });
    add("from", "1", "port it was sent from, in port_name", [](const Message& m) { return std::int64_t{m.from}; });
    add("to", "1", "port it was consumed from, in port_name", [](const Message& m) { return std::int64_t{m.to}; });
    add("sender", "1", "index of its sender in the bundle; -1: no bundle",
        [](const Message& m) { return std::int64_t{m.sender}; });
    add("position", "1", "number of messages sent over its channel, or by its sender to the bundle, before it",
        [](const Message& m) { return m.position; });
    add("size", "byte", "length of the payload", [](const Message& m) { return m.size; });
    std::vector<std::uint8_t> payloads;
    payloads.reserve(log.messages.size() * engine::message_capacity);
    for (const Message& message : log.messages)
        for (const std::byte byte : message.payload) payloads.push_back(static_cast<std::uint8_t>(byte));
    table.add("payload", payloads, "1", "its bytes, then zeros", {0, 2});
    table.close();
}

template <class T>
std::vector<T> read_column(const Hdf5Group& group, const std::string& name, std::uint64_t values) {
    const Hdf5Dataset dataset = group.dataset(name);
    const std::vector<std::uint64_t> shape = dataset.shape();
    if (std::accumulate(shape.begin(), shape.end(), std::uint64_t{1}, std::multiplies<>()) != values)
        dataset.fail("has an unexpected shape");
    return dataset.read<T>();
}

engine::MessageLog read_log(const Hdf5Group& group) {
    engine::MessageLog log;
    log.complete = group.integer_attribute("complete") != 0;
    log.ports = group.read_texts("port_name");
    const std::uint64_t rows = group.dataset("message").rows();
    const auto time = read_column<std::int64_t>(group, "time", rows);
    const auto from = read_column<std::int64_t>(group, "from", rows);
    const auto to = read_column<std::int64_t>(group, "to", rows);
    const auto sender = read_column<std::int64_t>(group, "sender", rows);
    const auto position = read_column<std::uint64_t>(group, "position", rows);
    const auto size = read_column<std::uint32_t>(group, "size", rows);
    const auto payload = read_column<std::uint8_t>(group, "payload", rows * engine::message_capacity);
    const auto is_port = [&](std::int64_t port) {
        return port >= 0 && port < static_cast<std::int64_t>(log.ports.size());
    };
    for (std::size_t i = 0; i < rows; ++i) {
        if (!is_port(from[i]) || !is_port(to[i]) || size[i] > engine::message_capacity)
            group.fail("message " + std::to_string(i) + " has no such port, or is too long");
        Message& message = log.messages.emplace_back();
        message.time = time[i];
        message.from = static_cast<std::int32_t>(from[i]);
        message.to = static_cast<std::int32_t>(to[i]);
        message.sender = static_cast<std::int32_t>(sender[i]);
        message.position = position[i];
        message.size = size[i];
        for (std::size_t k = 0; k < engine::message_capacity; ++k)
            message.payload[k] = static_cast<std::byte>(payload[i * engine::message_capacity + k]);
    }
    return log;
}

std::vector<std::uint64_t> final_hashes(const Determinism& determinism) {
    std::vector<std::uint64_t> last;
    for (std::uint32_t workload = 0; workload < determinism.workloads.size(); ++workload) {
        const std::uint64_t* const row = determinism.row(determinism.last_epoch(workload));
        last.insert(last.end(), row, row + determinism.processes.size());
    }
    return last;
}

}  // namespace

void write_determinism(Hdf5Group& root, const Determinism& determinism, bool ended) {
    if (determinism.processes.empty()) return;
    Hdf5Group group = root.create_group("determinism");
    group.set_attribute("tie_seed", determinism.tie_seed);
    if (determinism.has_log()) {
        group.set_attribute("log_from", static_cast<std::uint64_t>(determinism.log_from));
        group.set_attribute("log_to", static_cast<std::uint64_t>(determinism.log_to));
        write_log(group, determinism.log, ended);
    }
    Table table(std::move(group), "epoch", determinism.epochs.size(), chunk_rows);
    table.add_axis("process", determinism.processes.size());
    table.add_axis("workload", determinism.workloads.size());
    constexpr std::size_t epoch = 0, process = 1, workload = 2;
    table.add_texts("process_name", determinism.processes, "processes of the machine", process);
    using Workload = Determinism::Workload;
    table.add("start", column_of<std::int64_t>(determinism.workloads, [](const Workload& w) { return w.start; }),
              "tick", "simulated time when the workload began", {workload});
    table.add("window", column_of<std::int64_t>(determinism.workloads, [](const Workload& w) { return w.window; }),
              "tick", "length of a window of the kernel", {workload});
    using Epoch = Determinism::Epoch;
    table.add("epoch_workload", column_of<std::uint32_t>(determinism.epochs, [](const Epoch& e) { return e.workload; }),
              "1", "row of /workloads", {epoch});
    table.add("epoch_end", column_of<std::int64_t>(determinism.epochs, [](const Epoch& e) { return e.end; }), "tick",
              "a sample covers the messages that arrive before this time", {epoch});
    table.add("samples", determinism.samples, "1", "hash of the messages consumed before epoch_end", {epoch, process});
    table.add("final_hash", final_hashes(determinism), "1", "hash of all messages consumed in the workload",
              {workload, process});
    table.close();
}

Determinism read_determinism(const Hdf5Group& root) {
    Determinism determinism;
    if (!root.has("determinism")) return determinism;
    const Hdf5Group group = root.group("determinism");
    determinism.tie_seed = group.integer_attribute("tie_seed");
    determinism.processes = group.read_texts("process_name");
    const std::uint64_t workloads = group.dataset("workload").rows();
    const auto start = read_column<std::int64_t>(group, "start", workloads);
    const auto window = read_column<std::int64_t>(group, "window", workloads);
    for (std::size_t i = 0; i < workloads; ++i) {
        if (window[i] < 1) group.fail("the windows of workload " + std::to_string(i) + " have no length");
        determinism.workloads.push_back({start[i], window[i]});
    }
    const std::uint64_t rows = group.dataset("epoch").rows();
    const auto workload = read_column<std::uint32_t>(group, "epoch_workload", rows);
    const auto end = read_column<std::int64_t>(group, "epoch_end", rows);
    for (std::size_t i = 0; i < rows; ++i) {
        if (workload[i] >= workloads) group.fail("sample " + std::to_string(i) + " belongs to no workload");
        determinism.epochs.push_back({workload[i], end[i]});
    }
    determinism.samples = read_column<std::uint64_t>(group, "samples", rows * determinism.processes.size());
    if (group.has("messages")) {
        determinism.log_from = static_cast<engine::Time>(group.integer_attribute("log_from"));
        determinism.log_to = static_cast<engine::Time>(group.integer_attribute("log_to"));
        determinism.log = read_log(group.group("messages"));
    }
    return determinism;
}

}  // namespace io
