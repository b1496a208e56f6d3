#include "experiments/tessera/comparison.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "io/toml_values.h"

namespace experiments {

namespace {

using engine::Time;
using io::Determinism;
using Message = engine::MessageLog::Message;

std::string provenance_of(const io::Results& results, std::string_view name) {
    for (const io::NamedText& entry : results.provenance)
        if (entry.name == name) return entry.text;
    return "";
}

std::string text_or_dash(const std::map<std::string, std::string>& values, const std::string& name) {
    const auto found = values.find(name);
    return found == values.end() ? "-" : found->second;
}

// What was simulated besides the machine.
std::map<std::string, std::string> choices(const io::Results& results) {
    std::map<std::string, std::string> values{{"program", provenance_of(results, "source")},
                                              {"tie seed", std::to_string(results.determinism.tie_seed)}};
    for (std::size_t i = 0; i < results.workloads.size(); ++i)
        values["workload " + std::to_string(i)] =
            results.workloads[i].path + " (frames " + results.workloads[i].digest + ")";
    return values;
}

void add_differences(const std::map<std::string, std::string>& first, const std::map<std::string, std::string>& second,
                     std::vector<Difference>& differences) {
    std::map<std::string, std::string> names = first;
    names.insert(second.begin(), second.end());
    for (const auto& [name, ignored] : names) {
        Difference difference{name, text_or_dash(first, name), text_or_dash(second, name)};
        if (difference.first != difference.second) differences.push_back(std::move(difference));
    }
}

const io::KindResults::Column* find_column(const io::KindResults& kind, const std::string& name) {
    for (const io::KindResults::Column& column : kind.counters)
        if (column.name == name) return &column;
    return nullptr;
}

std::uint64_t sum_of(const std::vector<std::uint64_t>& values, std::size_t count) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < std::min(count, values.size()); ++i) sum += values[i];
    return sum;
}

// By process of the first one: where the same process is in both; in the order of the first.
std::vector<std::pair<std::size_t, std::size_t>> common_processes(const Determinism& first, const Determinism& second) {
    std::map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < second.processes.size(); ++i) places[second.processes[i]] = i;
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (std::size_t i = 0; i < first.processes.size(); ++i)
        if (const auto found = places.find(first.processes[i]); found != places.end())
            pairs.emplace_back(i, found->second);
    return pairs;
}

// Samples of one workload by time; after the last one nothing changes any more.
class Samples {
  public:
    Samples(const Determinism& determinism, std::uint32_t workload) : determinism_(determinism) {
        for (std::size_t i = 0; i < determinism.epochs.size(); ++i)
            if (determinism.epochs[i].workload == workload) rows_[determinism.epochs[i].end] = i;
    }
    std::vector<Time> times() const {
        std::vector<Time> times;
        for (const auto& [time, row] : rows_) times.push_back(time);
        return times;
    }
    // Null: not known.
    const std::uint64_t* at(Time time) const {
        if (rows_.empty()) return nullptr;
        if (time > rows_.rbegin()->first) return determinism_.row(rows_.rbegin()->second);
        const auto found = rows_.find(time);
        return found == rows_.end() ? nullptr : determinism_.row(found->second);
    }

  private:
    const Determinism& determinism_;
    std::map<Time, std::size_t> rows_;
};

// Those of both up to `end`, in order.
std::vector<Time> times_of(const Samples& a, const Samples& b, Time end) {
    std::vector<Time> times = a.times();
    for (const Time time : b.times()) times.push_back(time);
    std::sort(times.begin(), times.end());
    times.erase(std::upper_bound(times.begin(), times.end(), end), times.end());
    return times;
}

std::optional<Parting> find_parting_in(const Determinism& first, const Determinism& second, std::uint32_t workload,
                                       Time end) {
    const Samples a(first, workload), b(second, workload);
    const auto pairs = common_processes(first, second);
    Parting parting{workload, first.workloads[workload].start, 0, {}};
    for (const Time time : times_of(a, b, end)) {
        const std::uint64_t *const x = a.at(time), *const y = b.at(time);
        if (x == nullptr || y == nullptr) continue;
        parting.to = time;
        for (const auto& [i, k] : pairs)
            if (x[i] != y[k]) parting.processes.push_back(first.processes[i]);
        if (!parting.processes.empty()) return parting;
        parting.from = time;
    }
    return std::nullopt;
}

std::string process_of(const std::string& port) {
    return port.substr(0, port.rfind('.'));
}

// By receiver.
std::map<std::string, std::vector<const Message*>> by_process(const engine::MessageLog& log, const LoggedRange& range) {
    std::map<std::string, std::vector<const Message*>> messages;
    for (const Message& message : log.messages)
        if (message.time >= range.from && message.time < range.to)
            messages[process_of(log.ports[static_cast<std::size_t>(message.to)])].push_back(&message);
    return messages;
}

bool is_same(const engine::MessageLog& a, const Message& x, const engine::MessageLog& b, const Message& y) {
    const auto port = [](const engine::MessageLog& log, std::int32_t i) {
        return log.ports[static_cast<std::size_t>(i)];
    };
    return x.time == y.time && port(a, x.from) == port(b, y.from) && port(a, x.to) == port(b, y.to) &&
           x.sender == y.sender && x.position == y.position && x.size == y.size && x.payload == y.payload;
}

}  // namespace

double CounterDifference::relative() const {
    const double a = static_cast<double>(first), b = static_cast<double>(second);
    return a == b ? 0 : std::abs(a - b) / std::max(a, b);
}

std::vector<Difference> find_configuration_differences(const io::Results& first, const io::Results& second) {
    std::vector<Difference> differences;
    add_differences(choices(first), choices(second), differences);
    add_differences(io::toml_values(provenance_of(first, "resolved_toml"), "machine of the first results"),
                    io::toml_values(provenance_of(second, "resolved_toml"), "machine of the second results"),
                    differences);
    return differences;
}

std::vector<CounterDifference> find_counter_differences(const io::Results& first, const io::Results& second) {
    std::vector<CounterDifference> differences;
    const std::size_t frames = std::min(first.frames.size(), second.frames.size());
    CounterDifference cycles{"frames.cycles"};
    bool same = true;
    for (std::size_t i = 0; i < frames; ++i) {
        cycles.first += first.frames[i].cycles;
        cycles.second += second.frames[i].cycles;
        same &= first.frames[i].cycles == second.frames[i].cycles;
    }
    if (!same) differences.push_back(cycles);
    for (const io::KindResults& kind : first.kinds) {
        const io::KindResults* other = second.find_kind(kind.kind);
        if (other == nullptr) continue;
        for (const io::KindResults::Column& column : kind.counters) {
            const io::KindResults::Column* match = find_column(*other, column.name);
            if (match == nullptr) continue;
            const std::size_t a = frames * kind.values_in_frame(column), b = frames * other->values_in_frame(*match);
            const bool equal = a == b && std::equal(column.values.begin(), column.values.begin() + static_cast<long>(a),
                                                    match->values.begin());
            if (!equal)
                differences.push_back(
                    {kind.kind + "." + column.name, sum_of(column.values, a), sum_of(match->values, b)});
        }
    }
    return differences;
}

std::vector<Time> common_ends(const io::Results& first, const io::Results& second) {
    const auto workloads = std::min(first.determinism.workloads.size(), second.determinism.workloads.size());
    std::vector<Time> ends(workloads, engine::never);
    for (std::uint32_t workload = 0; workload < workloads; ++workload) {
        std::size_t counts[2] = {};
        Time last[2] = {};
        for (const int side : {0, 1})
            for (const io::FrameResult& frame : (side == 0 ? first : second).frames) {
                if (frame.workload != workload) continue;
                ++counts[side];
                last[side] = frame.end;
            }
        if (counts[0] != counts[1]) ends[workload] = counts[0] < counts[1] ? last[0] : last[1];
    }
    return ends;
}

std::optional<Parting> find_parting(const Determinism& first, const Determinism& second,
                                    const std::vector<Time>& ends) {
    const std::size_t workloads = std::min(first.workloads.size(), second.workloads.size());
    for (std::uint32_t workload = 0; workload < workloads; ++workload)
        if (auto parting =
                find_parting_in(first, second, workload, workload < ends.size() ? ends[workload] : engine::never))
            return parting;
    return std::nullopt;
}

std::optional<Time> last_common_sample(const Determinism& first, const Determinism& second, std::uint32_t workload,
                                       Time end) {
    const Samples a(first, workload), b(second, workload);
    const std::vector<Time> times = times_of(a, b, end);
    const auto last = std::find_if(times.rbegin(), times.rend(),
                                   [&](Time time) { return a.at(time) != nullptr && b.at(time) != nullptr; });
    return last == times.rend() ? std::nullopt : std::optional(*last);
}

LoggedRange common_log(const Determinism& first, const Determinism& second) {
    LoggedRange range{std::max(first.log_from, second.log_from), std::min(first.log_to, second.log_to)};
    for (const Determinism* determinism : {&first, &second})  // of the last time there may be more
        if (!determinism->log.complete)
            range.to = std::min(range.to,
                                determinism->log.messages.empty() ? range.from : determinism->log.messages.back().time);
    return range;
}

std::optional<MessageParting> find_message_parting(const Determinism& first, const Determinism& second,
                                                   const LoggedRange& range, const Determinism::Workload& workload) {
    const auto a = by_process(first.log, range), b = by_process(second.log, range);
    const std::vector<const Message*> nothing;
    const auto of = [&](const auto& messages, const std::string& process) -> const std::vector<const Message*>& {
        const auto found = messages.find(process);
        return found == messages.end() ? nothing : found->second;
    };
    struct Found {
        Time time;
        std::string process;
        const Message *first, *second;
    };
    std::vector<Found> all;
    for (const auto& [i, k] : common_processes(first, second)) {
        const std::string& process = first.processes[i];
        const std::vector<const Message*>&x = of(a, process), &y = of(b, process);
        std::size_t n = 0;
        while (n < x.size() && n < y.size() && is_same(first.log, *x[n], second.log, *y[n])) ++n;
        const Message *const mine = n < x.size() ? x[n] : nullptr, *const other = n < y.size() ? y[n] : nullptr;
        if (mine == nullptr && other == nullptr) continue;
        const Time time =
            std::min(mine == nullptr ? engine::never : mine->time, other == nullptr ? engine::never : other->time);
        all.push_back({time, process, mine, other});
    }
    if (all.empty()) return std::nullopt;
    const auto least =
        std::min_element(all.begin(), all.end(), [](const Found& x, const Found& y) { return x.time < y.time; });
    MessageParting parting{least->process, 0, 0, least->first, least->second, {}};
    parting.from = workload.start + (least->time - workload.start) / workload.window * workload.window;
    parting.to = parting.from + workload.window;
    for (const Found& found : all)
        if (found.time < parting.to && found.process != least->process) parting.others.push_back(found.process);
    return parting;
}

}  // namespace experiments
