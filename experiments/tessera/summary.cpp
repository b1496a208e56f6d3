#include "experiments/tessera/summary.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

#include "experiments/tessera/bottleneck.h"
#include "experiments/tessera/tracing.h"

namespace experiments {

namespace {

struct Row {
    double cycles = 0, ticks = 0, instructions = 0, texture_hits = 0, texture_accesses = 0, l2_hits = 0,
           l2_accesses = 0, dram_bytes = 0, seconds = 0;
};

Row frame_row(const io::Results& results, std::size_t frame) {
    const auto sum = [&](std::string_view kind, std::string_view counter) {
        return static_cast<double>(results.total(kind, counter, frame));
    };
    Row row;
    row.cycles = static_cast<double>(results.frames[frame].cycles);
    row.ticks = static_cast<double>(results.frames[frame].end - results.frames[frame].start);
    row.instructions = sum("fragment_processor", "warp_instructions");
    row.texture_hits = sum("texture_cache", "hits");
    row.texture_accesses = sum("texture_cache", "accesses");
    row.l2_hits = sum("l2_slice", "hits");
    row.l2_accesses = sum("l2_slice", "accesses");
    row.dram_bytes = sum("dram_channel", "bytes");
    row.seconds = results.performance[frame].seconds;
    return row;
}

void add(const Row& row, Row& total) {
    total.cycles += row.cycles;
    total.ticks += row.ticks;
    total.instructions += row.instructions;
    total.texture_hits += row.texture_hits;
    total.texture_accesses += row.texture_accesses;
    total.l2_hits += row.l2_hits;
    total.l2_accesses += row.l2_accesses;
    total.dram_bytes += row.dram_bytes;
    total.seconds += row.seconds;
}

std::string number(const char* format, double value) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), format, value);
    return text.data();
}

std::string percent(double part, double whole) {
    return whole == 0 ? "-" : number("%.1f %%", 100 * part / whole);
}

constexpr std::size_t columns = 11;
using Line = std::array<std::string, columns>;

Line print_row(const std::string& name, const Row& row, double cores, double ticks_per_second, const std::string& image,
               const std::string& busiest) {
    return {name,
            number("%.0f", row.cycles),
            number("%.3f", row.ticks / ticks_per_second * 1e3),
            row.cycles == 0 || cores == 0 ? "-" : number("%.3f", row.instructions / row.cycles / cores),
            percent(row.texture_hits, row.texture_accesses),
            percent(row.l2_hits, row.l2_accesses),
            number("%.2f", row.dram_bytes / 1e6),
            image,
            busiest,
            number("%.2f", row.seconds),
            row.seconds == 0 ? "-" : number("%.0f", row.cycles / row.seconds / 1e3)};
}

std::string aligned(const std::vector<Line>& lines) {
    std::array<std::size_t, columns> width{};
    for (const Line& line : lines)
        for (std::size_t c = 0; c < columns; ++c) width[c] = std::max(width[c], line[c].size());
    std::string text;
    for (const Line& line : lines) {
        for (std::size_t c = 0; c < columns; ++c) {
            const std::string space(width[c] - line[c].size(), ' ');
            if (c == 0)
                text.append(line[c]).append(space);
            else
                text.append("  ").append(space).append(line[c]);
        }
        text += "\n";
    }
    return text;
}

std::string image_text(const models::ImageCheck& check) {
    return check.present ? psnr_text(check) : "-";
}

}  // namespace

std::string summary_table(const io::Results& results) {
    const io::KindResults* cores = results.find_kind("fragment_processor");
    const double core_count = cores == nullptr ? 0 : static_cast<double>(cores->indices.size());
    const auto ticks_per_second = static_cast<double>(results.ticks_per_second);
    std::vector<Line> lines{{"frame", "GPU cycles", "ms", "IPC/core", "texture hits", "L2 hits", "DRAM MB", "image",
                             "busiest unit", "wall s", "kcycles/s"}};
    Row total;
    models::ImageCheck worst;
    for (std::size_t i = 0; i < results.frames.size(); ++i) {
        const io::FrameResult& frame = results.frames[i];
        const Row row = frame_row(results, i);
        add(row, total);
        if (frame.image.present && (!worst.present || frame.image.psnr < worst.psnr)) worst = frame.image;
        std::string name = std::to_string(frame.number);
        if (results.workloads.size() > 1) name.insert(0, results.workloads[frame.workload].label + " ");
        lines.push_back(print_row(name, row, core_count, ticks_per_second, image_text(frame.image),
                                  busiest_unit(unit_times(results, i, i + 1))));
    }
    lines.push_back(print_row("all", total, core_count, ticks_per_second, image_text(worst),
                              busiest_unit(unit_times(results, 0, results.frames.size()))));
    return aligned(lines);
}

std::vector<io::NamedNumber> performance_totals(const io::Results& results) {
    double seconds = 0;
    double cycles = 0;
    for (const engine::RunReport& frame : results.performance) seconds += frame.seconds;
    for (const io::FrameResult& frame : results.frames) cycles += static_cast<double>(frame.cycles);
    const auto sum = [&](std::string_view counter) {
        std::uint64_t total = results.total("fragment_processor", counter);
        // Without vertex processors the fragment processors shade vertices, too.
        if (results.find_kind("vertex_processor") != nullptr) total += results.total("vertex_processor", counter);
        return static_cast<double>(total);
    };
    const double rate = seconds > 0 ? 1 / seconds : 0;
    return {{"wall_seconds_total", "s", seconds},
            {"simulated_cycles", "cycle", cycles},
            {"cycles_per_second", "cycle/s", cycles * rate},
            {"warp_instructions", "1", sum("warp_instructions")},
            {"warp_instructions_per_second", "1/s", sum("warp_instructions") * rate},
            {"thread_instructions", "1", sum("thread_instructions")},
            {"thread_instructions_per_second", "1/s", sum("thread_instructions") * rate}};
}

}  // namespace experiments
