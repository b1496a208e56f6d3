#include "engine/scheduling/summary.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>

#include "engine/transport/collectives.h"

namespace engine {

namespace {

using Buffer = std::vector<std::byte>;

template <class T>
void write(Buffer& buffer, const T& value) {
    const auto more = std::as_bytes(std::span(&value, 1));
    buffer.insert(buffer.end(), more.begin(), more.end());
}

// Takes a value off the front.
template <class T>
T read(std::span<const std::byte>& buffer) {
    T value;
    std::memcpy(&value, buffer.data(), sizeof value);
    buffer = buffer.subspan(sizeof value);
    return value;
}

template <class T>
void write_all(Buffer& buffer, const std::vector<T>& values) {
    write(buffer, values.size());
    const auto more = std::as_bytes(std::span(values));
    buffer.insert(buffer.end(), more.begin(), more.end());
}
template <class T>
std::vector<T> read_all(std::span<const std::byte>& buffer) {
    std::vector<T> values(read<std::size_t>(buffer));
    const std::size_t bytes = values.size() * sizeof(T);
    if (bytes > 0) std::memcpy(values.data(), buffer.data(), bytes);
    buffer = buffer.subspan(bytes);
    return values;
}

constexpr std::uint64_t RunReport::* sums[] = {&RunReport::messages, &RunReport::steps, &RunReport::windows,
                                               &RunReport::null_messages};

void write_report(Buffer& buffer, const RunReport& report) {
    write(buffer, report.end);
    for (const auto sum : sums) write(buffer, report.*sum);
    write(buffer, report.reductions);
    write(buffer, report.window_length);
    write(buffer, report.stopped_by);
    write_all(buffer, report.workers);
    write_all(buffer, report.profile.processes);
    write_all(buffer, report.profile.channels);
    write(buffer, report.profile.bundles.size());
    for (const auto& bundle : report.profile.bundles) write_all(buffer, bundle);
}

void add_report(RunReport& report, std::span<const std::byte>& buffer) {
    report.end = std::max(report.end, read<Time>(buffer));
    for (const auto sum : sums) report.*sum += read<std::uint64_t>(buffer);
    report.reductions = std::max(report.reductions, read<std::uint64_t>(buffer));
    report.window_length = read<Time>(buffer);
    report.stopped_by = std::max(report.stopped_by, read<int>(buffer));
    for (const WorkerReport& worker : read_all<WorkerReport>(buffer)) report.workers.push_back(worker);
    Profile profile;
    profile.processes = read_all<Profile::Process>(buffer);
    profile.channels = read_all<std::uint64_t>(buffer);
    for (auto count = read<std::size_t>(buffer); count > 0; --count)
        profile.bundles.push_back(read_all<std::uint64_t>(buffer));
    report.profile.add(profile);
}

Buffer pack(const Summary& summary) {
    Buffer buffer;
    write_report(buffer, summary.report);
    write(buffer, summary.stopped_after);
    write(buffer, summary.failures.size());
    for (const Failure& failure : summary.failures) {
        write(buffer, failure.window);
        write(buffer, failure.process);
        write(buffer, failure.code);
        write(buffer, failure.text.size());
        for (const char c : failure.text) write(buffer, c);
    }
    return buffer;
}

void add(Summary& summary, std::span<const std::byte> buffer) {
    add_report(summary.report, buffer);
    summary.stopped_after = std::min(summary.stopped_after, read<Time>(buffer));
    for (auto count = read<std::size_t>(buffer); count > 0; --count) {
        Failure& failure = summary.failures.emplace_back();
        failure.window = read<Time>(buffer);
        failure.process = read<int>(buffer);
        failure.code = read<ExitCode>(buffer);
        failure.text.resize(read<std::size_t>(buffer));
        for (char& c : failure.text) c = read<char>(buffer);
    }
}

}  // namespace

Summary Summary::over_ranks() const {
    Summary all;
    for (const Buffer& part : transport::all_gather(pack(*this))) add(all, part);
    std::sort(all.failures.begin(), all.failures.end(), [](const Failure& a, const Failure& b) {
        return a.window != b.window ? a.window < b.window : a.process < b.process;
    });
    return all;
}

}  // namespace engine
