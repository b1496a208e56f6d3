#include "engine/summary.h"

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

Buffer pack(const Summary& summary) {
    Buffer buffer;
    write(buffer, summary.end);
    for (const std::uint64_t sum : {summary.messages, summary.steps, summary.windows, summary.promises})
        write(buffer, sum);
    write(buffer, summary.meetings);
    write(buffer, summary.stopped_by);
    write(buffer, summary.stopped_after);
    write(buffer, summary.workers.size());
    for (const WorkerTime& worker : summary.workers) write(buffer, worker);
    write(buffer, summary.complaints.size());
    for (const Complaint& complaint : summary.complaints) {
        write(buffer, complaint.window);
        write(buffer, complaint.process);
        write(buffer, complaint.code);
        write(buffer, complaint.text.size());
        for (const char c : complaint.text) write(buffer, c);
    }
    return buffer;
}

void add(Summary& summary, std::span<const std::byte> buffer) {
    summary.end = std::max(summary.end, read<Time>(buffer));
    for (std::uint64_t* sum : {&summary.messages, &summary.steps, &summary.windows, &summary.promises})
        *sum += read<std::uint64_t>(buffer);
    summary.meetings = std::max(summary.meetings, read<std::uint64_t>(buffer));
    summary.stopped_by = std::max(summary.stopped_by, read<int>(buffer));
    summary.stopped_after = std::min(summary.stopped_after, read<Time>(buffer));
    for (auto count = read<std::size_t>(buffer); count > 0; --count)
        summary.workers.push_back(read<WorkerTime>(buffer));
    for (auto count = read<std::size_t>(buffer); count > 0; --count) {
        Complaint& complaint = summary.complaints.emplace_back();
        complaint.window = read<Time>(buffer);
        complaint.process = read<int>(buffer);
        complaint.code = read<ExitCode>(buffer);
        complaint.text.resize(read<std::size_t>(buffer));
        for (char& c : complaint.text) c = read<char>(buffer);
    }
}

}  // namespace

Summary Summary::over_ranks() const {
    Summary all;
    for (const Buffer& part : transport::all_gather(pack(*this))) add(all, part);
    std::sort(all.complaints.begin(), all.complaints.end(), [](const Complaint& a, const Complaint& b) {
        return a.window != b.window ? a.window < b.window : a.process < b.process;
    });
    return all;
}

}  // namespace engine
