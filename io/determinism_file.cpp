#include "io/determinism_file.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <utility>

#include "io/results_table.h"

namespace io {

namespace {

using Message = engine::MessageLog::Message;

constexpr std::uint64_t most_chunk_rows = 4096;

std::uint64_t chunk_of(std::uint64_t rows) {
    return std::clamp<std::uint64_t>(rows, 1, most_chunk_rows);
}

Hdf5Dataset write_axis(Hdf5Group& group, const std::string& name, std::size_t rows) {
    std::vector<std::uint64_t> numbers(rows);
    std::iota(numbers.begin(), numbers.end(), std::uint64_t{0});
    Hdf5Dataset axis = group.create_dataset<std::uint64_t>(name, {{}, chunk_of(rows), false});
    axis.append(std::span<const std::uint64_t>(numbers));
    axis.make_scale(name);
    return axis;
}

struct About {
    std::string unit, text;
};

template <class T>
void write_values(Hdf5Group& group, const std::string& name, const std::vector<T>& values, const About& about,
                  const Hdf5Dataset& rows, const Hdf5Dataset* columns = nullptr) {
    Hdf5Layout layout{{}, chunk_of(rows.rows()), false};
    if (columns != nullptr) {
        layout.row_shape = {columns->rows()};
        layout.chunk_rows = chunk_of(std::min<std::uint64_t>(rows.rows(), 64));
    }
    Hdf5Dataset dataset = group.create_dataset<T>(name, layout);
    dataset.append(std::span<const T>(values));
    dataset.attach_scale(rows, 0);
    if (columns != nullptr) dataset.attach_scale(*columns, 1);
    dataset.set_attribute("units", about.unit);
    dataset.set_attribute("long_name", about.text);
    dataset.close();
}

void write_names(Hdf5Group& group, const std::string& name, const std::vector<std::string>& names,
                 const std::string& text, const Hdf5Dataset& rows) {
    group.write_texts(name, names);
    Hdf5Dataset dataset = group.dataset(name);
    dataset.attach_scale(rows, 0);
    dataset.set_attribute("long_name", text);
    dataset.close();
}

void write_log(Hdf5Group& determinism, const engine::MessageLog& log, bool ended) {
    Hdf5Group group = determinism.create_group("messages");
    group.set_attribute("complete", std::uint64_t{log.complete && ended ? 1U : 0U});
    std::string note = "all messages of the range";
    if (!log.complete)
        note = "the range holds more messages; these are the first " + std::to_string(log.messages.size());
    if (!ended) note = "the run has not ended; messages are stored when their workload is done";
    group.set_attribute("note", note);
    const Hdf5Dataset rows = write_axis(group, "message", log.messages.size());
    const Hdf5Dataset ports = write_axis(group, "port", log.ports.size());
    const Hdf5Dataset bytes = write_axis(group, "byte", engine::message_capacity);
    write_names(group, "port_name", log.ports, "ports of the processes", ports);
    const auto add = [&](const char* name, const About& about, auto get) {
        using T = decltype(get(std::declval<const Message&>()));
        write_values(group, name, column_of<T>(log.messages, get), about, rows);
    };
    add("time", {"tick", "when it was consumed"}, [](const Message& m) { return m.time; });
    add("from", {"1", "port it was sent from, in port_name"}, [](const Message& m) { return std::int64_t{m.from}; });
    add("to", {"1", "port it was consumed from, in port_name"}, [](const Message& m) { return std::int64_t{m.to}; });
    add("sender", {"1", "index of its sender in the bundle; -1: no bundle"},
        [](const Message& m) { return std::int64_t{m.sender}; });
    add("position", {"1", "number of messages sent over its channel, or by its sender to the bundle, before it"},
        [](const Message& m) { return m.position; });
    add("size", {"byte", "length of the payload"}, [](const Message& m) { return m.size; });
    std::vector<std::uint8_t> payloads;
    payloads.reserve(log.messages.size() * engine::message_capacity);
    for (const Message& message : log.messages)
        for (const std::byte byte : message.payload) payloads.push_back(static_cast<std::uint8_t>(byte));
    write_values(group, "payload", payloads, {"1", "its bytes, then zeros"}, rows, &bytes);
    group.close();
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

}  // namespace

void write_determinism(Hdf5Group& root, const Determinism& determinism, bool ended) {
    if (determinism.processes.empty()) return;
    Hdf5Group group = root.create_group("determinism");
    group.set_attribute("tie_seed", determinism.tie_seed);
    const Hdf5Dataset epochs = write_axis(group, "epoch", determinism.epochs.size());
    const Hdf5Dataset processes = write_axis(group, "process", determinism.processes.size());
    const Hdf5Dataset workloads = write_axis(group, "workload", determinism.workloads.size());
    write_names(group, "process_name", determinism.processes, "processes of the machine", processes);
    using Workload = Determinism::Workload;
    write_values(group, "start",
                 column_of<std::int64_t>(determinism.workloads, [](const Workload& w) { return w.start; }),
                 {"tick", "simulated time when the workload began"}, workloads);
    write_values(group, "window",
                 column_of<std::int64_t>(determinism.workloads, [](const Workload& w) { return w.window; }),
                 {"tick", "length of a window of the kernel"}, workloads);
    using Epoch = Determinism::Epoch;
    write_values(group, "epoch_workload",
                 column_of<std::uint32_t>(determinism.epochs, [](const Epoch& e) { return e.workload; }),
                 {"1", "row of /workloads"}, epochs);
    write_values(group, "epoch_end", column_of<std::int64_t>(determinism.epochs, [](const Epoch& e) { return e.end; }),
                 {"tick", "a sample covers the messages that arrive before this time"}, epochs);
    write_values(group, "samples", determinism.samples, {"1", "hash of the messages consumed before epoch_end"}, epochs,
                 &processes);
    std::vector<std::uint64_t> last;
    for (std::uint32_t workload = 0; workload < determinism.workloads.size(); ++workload) {
        const std::uint64_t* const row = determinism.row(determinism.last_epoch(workload));
        last.insert(last.end(), row, row + determinism.processes.size());
    }
    write_values(group, "final_hash", last, {"1", "hash of all messages consumed in the workload"}, workloads,
                 &processes);
    if (determinism.has_log()) {
        group.set_attribute("log_from", static_cast<std::uint64_t>(determinism.log_from));
        group.set_attribute("log_to", static_cast<std::uint64_t>(determinism.log_to));
        write_log(group, determinism.log, ended);
    }
    group.close();
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
