#include "experiments/tessera/program_table.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <string_view>
#include <tuple>
#include <vector>

namespace experiments {

namespace {

constexpr std::size_t shown = 5;
constexpr std::string_view cycles_of = "cycles_";

struct ProgramCost {
    std::uint64_t workload = 0, core_kind = 0, program = 0;
    std::map<std::string, std::uint64_t> sums;  // by column
    std::uint64_t cycles = 0;
};

// Of all frames, the most expensive first.
std::vector<ProgramCost> costs(const io::Results& results, const io::RecordsResults& records) {
    std::map<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>, ProgramCost> all;
    for (std::size_t row = 0; row < records.frames.size(); ++row) {
        const std::uint64_t workload = results.frames[records.frames[row]].workload;
        const std::uint64_t kind = records.find("core_kind")->values[row];
        const std::uint64_t program = records.find("program")->values[row];
        ProgramCost& cost = all[{workload, kind, program}];
        cost.workload = workload;
        cost.core_kind = kind;
        cost.program = program;
        for (const models::Records::Column& column : records.columns) {
            cost.sums[column.name] += column.values[row];
            if (column.name.starts_with(cycles_of)) cost.cycles += column.values[row];
        }
    }
    std::vector<ProgramCost> sorted;
    for (auto& [key, cost] : all) sorted.push_back(std::move(cost));
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const ProgramCost& a, const ProgramCost& b) { return a.cycles > b.cycles; });
    return sorted;
}

// "texture 60.1 %": the state other than to issue with the most cycles.
std::string longest_wait(const ProgramCost& cost) {
    std::string_view name;
    std::uint64_t most = 0;
    for (const auto& [column, cycles] : cost.sums)
        if (column.starts_with(cycles_of) && column != "cycles_issue" && cycles > most) {
            name = std::string_view(column).substr(cycles_of.size());
            most = cycles;
        }
    if (most == 0) return "-";
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%5.1f %%  %.*s",
                  100 * static_cast<double>(most) / static_cast<double>(cost.cycles), static_cast<int>(name.size()),
                  name.data());
    return text.data();
}

}  // namespace

std::string program_table(const io::Results& results) {
    const io::RecordsResults* const records = results.find_records("programs");
    if (records == nullptr) return "";
    const std::vector<ProgramCost> all = costs(results, *records);
    std::uint64_t cycles = 0;
    for (const ProgramCost& cost : all) cycles += cost.cycles;
    if (cycles == 0) return "";
    const std::size_t count = std::min(shown, all.size());
    const std::vector<std::string>& kinds = records->find("core_kind")->meanings;
    std::size_t kind_width = 5, label_width = 0;
    for (std::size_t i = 0; i < count; ++i) {
        kind_width = std::max(kind_width, kinds[all[i].core_kind].size());
        if (results.workloads.size() > 1)
            label_width = std::max(label_width, results.workloads[all[i].workload].label.size() + 1);
    }
    const auto padded = [](std::string text, std::size_t width) {
        text.resize(std::max(width, text.size()), ' ');
        return text;
    };
    std::string text = padded("", label_width) + "program  " + padded("cores", kind_width) +
                       "  core cycles    share     issue  instructions      threads    textures  longest wait\n";
    for (std::size_t i = 0; i < count; ++i) {
        const ProgramCost& cost = all[i];
        const auto sum = [&](const char* column) { return static_cast<unsigned long long>(cost.sums.at(column)); };
        std::array<char, 160> line{};
        std::snprintf(line.data(), line.size(), "  %11llu  %5.1f %%  %6.1f %%  %12llu  %11llu  %10llu  ",
                      static_cast<unsigned long long>(cost.cycles),
                      100 * static_cast<double>(cost.cycles) / static_cast<double>(cycles),
                      100 * static_cast<double>(cost.sums.at("cycles_issue")) / static_cast<double>(cost.cycles),
                      sum("warp_instructions"), sum("threads"), sum("texture_accesses"));
        const std::string label = results.workloads.size() > 1 ? results.workloads[cost.workload].label : "";
        text += padded(label, label_width) + padded(std::to_string(cost.program), 7) + "  " +
                padded(kinds[cost.core_kind], kind_width) + line.data() + longest_wait(cost) + "\n";
    }
    if (all.size() > count) text += "and " + std::to_string(all.size() - count) + " more\n";
    return text;
}

}  // namespace experiments
