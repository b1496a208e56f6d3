// Results for tests: two kinds of process, one of them alone, with numbers that need all 64 bits, histograms, a series
// and records.
#pragma once

#include <array>

#include "engine/block.h"
#include "engine/histogram.h"
#include "io/results.h"

namespace tests {

class SampleCore : public engine::EventDriven<SampleCore> {
  public:
    explicit SampleCore(int index) : EventDriven("core", index) {
        counters().note_time(waited.place(), {"starved", "memory"});
    }
    void on_wake() {}
    engine::Counter instructions{&counters(), "instructions", "1", "warp instructions issued"};
    engine::Counter bytes{&counters(), "bytes_read", "byte", "bytes read from memory"};
    engine::Counter waited{&counters(), "cycles_waited", "cycle", "time: waited"};
    engine::Histogram latency{&counters(), "latency", "cycle", "from request to answer",
                              engine::BinScale::logarithmic("latency_bin", 1, 16)};
    engine::Histogram write_latency{&counters(), "write_latency", "cycle", "the same, of writes", latency.scale()};
};

class SampleMemory : public engine::EventDriven<SampleMemory> {
  public:
    SampleMemory() : EventDriven("memory", -1) {}
    void on_wake() {}
    engine::Counter reads{&counters(), "reads", "1", "lines read"};
    engine::Histogram queue{&counters(), "queue", "1", "requests found", engine::BinScale::linear("queue_bin", 3)};
    engine::Counter bank_0{{&counters(), {"bank", 0}}, "row_hits", "1", "open rows found"};
    engine::Counter bank_1{{&counters(), {"bank", 1}}, "row_hits", "1", "open rows found"};
};

// Processes in the order given: "m" a memory, a digit the core of that number.
inline std::vector<std::unique_ptr<engine::LogicalProcess>> sample_processes(const std::string& order) {
    std::vector<std::unique_ptr<engine::LogicalProcess>> processes;
    for (const char c : order)
        if (c == 'm')
            processes.push_back(std::make_unique<SampleMemory>());
        else
            processes.push_back(std::make_unique<SampleCore>(c - '0'));
    return processes;
}

inline std::vector<std::uint64_t> counter_values(
    const std::vector<std::unique_ptr<engine::LogicalProcess>>& processes) {
    std::vector<std::uint64_t> values;
    for (const auto& process : processes)
        for (const engine::CounterInfo& counter : process->counters().all()) values.push_back(*counter.value);
    return values;
}

// Three frames of four cores and a memory. Whatever the order of the processes, the numbers are the same.
inline io::Results sample_results(const std::string& order = "0123m") {
    const auto processes = sample_processes(order);
    io::ResultsCollector collector(processes);
    io::Results results;
    results.ticks_per_second = 1'200'000'000;
    results.workloads = {{"game", "game.h5", "0123456789abcdef0123456789abcdef"}};
    results.kinds = collector.empty_kinds();
    results.provenance = {{"command_line", "tessera run m.toml game.h5 -o out"}, {"source", "tessera test"}};
    results.totals = {{"cycles_per_second", "1/s", 1e6}};
    for (std::uint32_t frame = 0; frame < 3; ++frame) {
        for (const auto& process : processes) {
            if (auto* core = dynamic_cast<SampleCore*>(process.get())) {
                core->instructions += (std::uint64_t{1} << 60) + frame * 100 + static_cast<unsigned>(core->index());
                core->bytes += frame * 64;
                for (std::uint64_t i = 0; i <= frame; ++i) core->latency.add(5 * i);
            }
            if (auto* memory = dynamic_cast<SampleMemory*>(process.get())) {
                memory->reads += frame + 7;
                memory->bank_1 += 5;
                memory->queue.add(frame);
            }
        }
        collector.add_frame(counter_values(processes), results.kinds);
        models::TimeSeries moved{"traffic", "data moved", "bank", {0, 1}, {}, {}};
        for (std::uint32_t i = 0; i <= frame; ++i) moved.edges.push_back(400 * i);  // no intervals, one, two
        moved.columns = {{"bytes", "byte", "data moved in the interval", std::vector<std::uint64_t>(2 * frame, frame)}};
        results.frames.push_back({0, 10 + frame, frame * 1000, frame * 1000 + 900, 450, {true, 51.5, 2}});
        io::add_series({moved}, frame * 1000, results);
        models::Records left{"stops", "where it stopped", {{"place", "1", "kind of place", {"here", "there"}}}};
        left.columns.push_back({"cycle", "cycle", "when, if it did"});
        for (std::uint64_t i = 0; i < frame; ++i)  // no rows, one, two
            left.append(std::array{i, i == 0 ? frame : models::Records::missing});
        io::add_records({left}, results);
        engine::RunReport& report = results.performance.emplace_back();
        report.messages = 20;
        report.windows = 10;
        report.window_length = 4;
        report.seconds = 0.5;
        report.workers = {{0.3, 0.1, 0.1, 64, 7}, {0.2, 0.2, 0.1, 128, 9}};
    }
    for (const auto& process : processes) {
        results.graph.processes.push_back({process->name(), process->kind(), 1});
        results.profile.processes.push_back({0.25 * (process->index() + 2), 10});
    }
    results.graph.channels = {{0, 1, 4, 1}, {1, 0, 5, 1}};
    results.profile.channels = {30, 20};
    results.graph.bundles = {{{0, 1}, {1}, 6, {}}};
    results.profile.bundles = {{8, 9}};
    results.complete = true;
    return results;
}

}  // namespace tests
