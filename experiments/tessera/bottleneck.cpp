#include "experiments/tessera/bottleneck.h"

#include <algorithm>

#include "experiments/tessera/text_format.h"

namespace experiments {

namespace {

constexpr double nearly_all = 0.8;        // of the time: a unit this busy bounds the others
constexpr double worth_telling = 0.0005;  // shares below are 0.0 %
constexpr double worth_naming = 0.05;     // as one who waits

void add(std::vector<UnitTime::Wait>& waits, const std::string& by, double share) {
    for (UnitTime::Wait& wait : waits)
        if (wait.by == by) {
            wait.share += share;
            return;
        }
    waits.push_back({by, share});
}

void sort(std::vector<UnitTime::Wait>& waits) {
    std::stable_sort(waits.begin(), waits.end(), [](const auto& a, const auto& b) { return a.share > b.share; });
}

UnitTime time_of(const io::KindResults& kind, std::size_t first, std::size_t end) {
    UnitTime time;
    time.kind = kind.kind;
    time.units = kind.indices.size();
    std::vector<double> all(time.units), own(time.units), busy(time.units);
    std::vector<std::pair<const io::KindResults::Column*, double>> states;
    for (std::size_t c = 0; c < kind.counters.size(); ++c) {
        const io::KindResults::Column& column = kind.counters[c];
        if (column.time.activity.empty()) continue;
        double sum = 0;
        for (std::size_t unit = 0; unit < time.units; ++unit)
            for (std::size_t frame = first; frame < end; ++frame) {
                const auto cycles = static_cast<double>(kind.value(c, frame, unit));
                sum += cycles;
                all[unit] += cycles;
                if (column.time.activity == "busy") busy[unit] += cycles;
                if (column.time.activity == "busy" || column.time.by == kind.kind) own[unit] += cycles;
            }
        states.emplace_back(&column, sum);
    }
    double total = 0;
    for (const double cycles : all) total += cycles;
    if (total == 0) return {};
    for (const auto& [column, cycles] : states) {
        const double share = cycles / total;
        if (column->time.activity == "busy") {
            time.busy += share;
        } else if (column->time.activity == "starved") {
            time.starved += share;
            add(time.starved_by, column->time.by, share);
        } else {
            time.blocked += share;
            add(time.blocked_by, column->time.by, share);
        }
    }
    sort(time.starved_by);
    sort(time.blocked_by);
    for (std::size_t unit = 0; unit < time.units; ++unit) {
        const double share = all[unit] > 0 ? own[unit] / all[unit] : 0;
        if (share <= time.busiest) continue;
        time.busiest = share;
        time.busiest_busy = busy[unit] / all[unit];
        time.busiest_index = kind.indices[unit];
    }
    return time;
}

const UnitTime* busiest_of(const std::vector<UnitTime>& times) {
    const auto found = std::max_element(times.begin(), times.end(),
                                        [](const auto& a, const auto& b) { return a.busiest < b.busiest; });
    return found == times.end() || found->busiest == 0 ? nullptr : &*found;
}

std::string waits_text(double share, const std::vector<UnitTime::Wait>& waits, const std::string& kind) {
    std::string text = format("%5.1f %%", 100 * share), names;
    for (const UnitTime::Wait& wait : waits) {
        if (wait.share < worth_telling) continue;
        names += (names.empty() ? "" : ", ") + (wait.by == kind ? "itself" : wait.by);
        if (wait.share < share - worth_telling) names += format(" %.1f", 100 * wait.share);
    }
    return names.empty() ? text : text + "  " + names;
}

std::string verdict(const std::vector<UnitTime>& times) {
    const UnitTime* const busiest = busiest_of(times);
    if (busiest == nullptr) return "";
    const std::string name =
        busiest->kind + (busiest->units > 1 ? "[" + std::to_string(busiest->busiest_index) + "]" : "");
    std::string text =
        busiest->busiest >= nearly_all ? "\nbottleneck  " : "\nbottleneck  none, latencies: the busiest, ";
    text += name + (busiest->busiest >= nearly_all ? ", " : ", is ") +
            format("at work %.1f %% of the time", 100 * busiest->busiest);
    if (busiest->busiest - busiest->busiest_busy >= worth_telling)
        text += format(" (busy %.1f %%, else its own latency)", 100 * busiest->busiest_busy);
    std::vector<UnitTime::Wait> waiting;
    for (const UnitTime& time : times)
        if (&time != busiest && time.waits_for(busiest->kind) >= worth_naming)
            waiting.push_back({time.kind, time.waits_for(busiest->kind)});
    sort(waiting);
    for (const UnitTime::Wait& wait : waiting)
        text += (&wait == &waiting.front() ? "; for it wait " : ", ") + wait.by + format(" %.1f %%", 100 * wait.share);
    return text + "\n";
}

}  // namespace

double UnitTime::waits_for(const std::string& other) const {
    double share = 0;
    for (const auto* waits : {&starved_by, &blocked_by})
        for (const Wait& wait : *waits)
            if (wait.by == other) share += wait.share;
    return share;
}

std::vector<UnitTime> unit_times(const io::Results& results, std::size_t first, std::size_t end) {
    std::vector<UnitTime> times;
    for (const io::KindResults& kind : results.kinds)
        if (UnitTime time = time_of(kind, first, end); time.units > 0) times.push_back(std::move(time));
    return times;
}

std::string busiest_unit(const std::vector<UnitTime>& times) {
    const UnitTime* const busiest = busiest_of(times);
    return busiest == nullptr ? "-" : busiest->kind + format(" %.0f %%", 100 * busiest->busiest);
}

std::string bottleneck_table(const io::Results& results) {
    const std::vector<UnitTime> times = unit_times(results, 0, results.frames.size());
    if (times.empty()) return "";
    std::vector<std::string> starved;
    std::size_t name_width = 4, starved_width = 7;
    for (const UnitTime& time : times) {
        starved.push_back(waits_text(time.starved, time.starved_by, time.kind));
        name_width = std::max(name_width, time.kind.size());
        starved_width = std::max(starved_width, starved.back().size());
    }
    const auto padded = [](std::string text, std::size_t width) {
        text.resize(std::max(width, text.size()), ' ');
        return text;
    };
    std::string text = padded("unit", name_width) + "  units     busy  busiest  " +
                       padded("starved  by", starved_width) + "  blocked  by\n";
    for (std::size_t i = 0; i < times.size(); ++i)
        text += padded(times[i].kind, name_width) +
                format("  %5zu  %5.1f %%  %5.1f %%  ", times[i].units, 100 * times[i].busy, 100 * times[i].busiest) +
                padded(starved[i], starved_width) + "  " +
                waits_text(times[i].blocked, times[i].blocked_by, times[i].kind) + "\n";
    return text + verdict(times);
}

}  // namespace experiments
