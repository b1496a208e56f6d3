#include "experiments/tessera/dram_command.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/error.h"
#include "experiments/tessera/dram_pattern_option.h"
#include "experiments/tessera/number_option.h"
#include "experiments/tessera/options.h"
#include "io/address_trace.h"
#include "io/config_file.h"
#include "io/log.h"
#include "models/base/without_effect.h"

namespace experiments {

namespace {

struct DramArguments {
    std::vector<std::string> overrides;
    std::string device, channels, bus_bits, pattern, write_fraction, load;
    std::filesystem::path trace;
    std::uint64_t requests = 100'000;
    bool json = false;
};

// The memory alone of a machine's parameters.
struct Memory {
    models::ParameterGroup root;
    models::DramParameters dram{&root, "dram", "main memory"};
};

void read_memory(const DramArguments& arguments, Memory& memory) {
    std::vector<std::string> overrides;
    const auto add = [&](const char* name, const std::string& value) {
        if (!value.empty()) overrides.push_back(std::string("dram.") + name + "=" + value);
    };
    add("device", arguments.device);
    add("channels", arguments.channels);
    add("bus_bits", arguments.bus_bits);
    overrides.insert(overrides.end(), arguments.overrides.begin(), arguments.overrides.end());
    io::override_parameters(overrides, memory.root);
    const models::DramParameters& dram = memory.dram;
    if (dram.model() != models::DramModel::timed)
        throw engine::ConfigError("dram.model: expected timed, as this plays the commands of a device, found " +
                                  dram.model.value_text());
    models::WithoutEffect found;
    dram.add_without_effect(found);
    found.add(dram, "this plays all of the memory that the devices have", {&dram.size});
    for (const std::string& line : found.lines()) io::log_warning(line);
}

models::DramLoad pattern_load(const DramArguments& arguments, const models::DramParameters& dram) {
    constexpr std::uint64_t most = std::uint64_t{512} << 20U;
    models::DramPattern pattern;
    read_pattern(arguments.pattern, pattern);
    pattern.requests = arguments.requests;
    pattern.footprint = std::min(most, static_cast<std::uint64_t>(dram.bytes()));
    if (!arguments.write_fraction.empty())
        pattern.write_fraction = read_share("--write-fraction", arguments.write_fraction, true);
    if (!arguments.load.empty()) pattern.load = read_share("--load", arguments.load, false);
    if (pattern.is_chase && pattern.load)
        throw engine::ConfigError("--load: a chase has none: each of its requests waits for the one before");
    if (pattern.is_chase && pattern.write_fraction > 0)
        throw engine::ConfigError("--write-fraction: a chase reads: each of its requests waits for data");
    return models::make_load(pattern, dram);
}

models::DramLoad trace_load(const std::filesystem::path& path, const models::DramParameters& dram) {
    auto trace = std::make_shared<const io::AddressTrace>(
        io::read_address_trace(path, static_cast<std::uint64_t>(dram.bytes())));
    models::DramLoad load;
    load.arrival = trace->has_cycles ? models::DramArrival::at_times : models::DramArrival::saturated;
    load.next = [trace, next = std::size_t{0}]() mutable -> std::optional<models::DramAccess> {
        if (next == trace->accesses.size()) return {};
        const io::AddressTrace::Access& access = trace->accesses[next++];
        return models::DramAccess{access.address, access.is_write, static_cast<engine::Time>(access.cycle)};
    };
    return load;
}

// Of reads, in nanoseconds.
struct Latency {
    const char* name;
    std::optional<double> value;
};
std::vector<Latency> latencies(const models::DramFigures& figures, double cycle) {
    const auto percentile = [&](int percent) -> std::optional<double> {
        if (figures.reads == 0) return {};
        return static_cast<double>(figures.latency_percentile(percent)) * cycle;
    };
    std::optional<double> mean;
    if (figures.reads > 0) mean = figures.mean_latency() * cycle;
    return {{"mean", mean}, {"p50", percentile(50)}, {"p95", percentile(95)}, {"p99", percentile(99)}};
}

void print_json(const models::DramFigures& figures, double cycle) {
    std::printf("{\"bandwidth_GBps\": %.6g", figures.bandwidth * 1e-9);
    for (const Latency& latency : latencies(figures, cycle))
        if (latency.value)
            std::printf(", \"latency_%s_ns\": %.6g", latency.name, *latency.value);
        else
            std::printf(", \"latency_%s_ns\": null", latency.name);
    std::printf(", \"row_hit_ratio\": %.6g, \"energy_per_bit_pJ\": %.6g}\n", figures.row_hit_ratio,
                figures.energy_per_bit * 1e12);
}

void print_text(const models::DramFigures& figures, const models::DramParameters& dram, double cycle) {
    const models::DramDevice channel = dram.channel();
    const double peak = static_cast<double>(channel.burst_bytes()) * dram.channels() / (channel.timing.burst * cycle);
    std::printf("memory      %d x %d bits of %s: %.2f GB/s, %lld MiB\n", dram.channels(), channel.width,
                dram.device.value_text().c_str(), peak, static_cast<long long>(dram.bytes() >> 20));
    std::printf("requests    %llu (%llu reads) in %lld DRAM cycles, %.3f us\n",
                static_cast<unsigned long long>(figures.requests), static_cast<unsigned long long>(figures.reads),
                static_cast<long long>(figures.cycles), figures.seconds * 1e6);
    std::printf("bandwidth   %.3f GB/s, %.1f %% of peak\n", figures.bandwidth * 1e-9, figures.bandwidth * 1e-7 / peak);
    if (figures.reads > 0) {
        std::printf("latency    ");
        for (const Latency& latency : latencies(figures, cycle))
            std::printf(" %s %.2f ns", latency.name, *latency.value);
        std::printf("\n");
    }
    std::printf("row hits    %.2f %%\n", figures.row_hit_ratio * 100);
    std::printf("energy      %.3f pJ/bit (the array, no interface)\n", figures.energy_per_bit * 1e12);
}

void play(const DramArguments& arguments) {
    if (arguments.pattern.empty() && arguments.trace.empty())
        throw engine::ConfigError("dram: expected --pattern or --trace");
    Memory memory;
    read_memory(arguments, memory);
    const models::DramLoad load =
        arguments.trace.empty() ? pattern_load(arguments, memory.dram) : trace_load(arguments.trace, memory.dram);
    const models::DramFigures figures = models::DramDriver(memory.dram).play(load);
    const double cycle = 1e9 / static_cast<double>(memory.dram.clock().hertz);
    arguments.json ? print_json(figures, cycle) : print_text(figures, memory.dram, cycle);
}

}  // namespace

void add_dram_command(Commands& commands) {
    auto arguments = std::make_shared<DramArguments>();
    Command command = commands.add("dram", "play a load on main memory alone: bandwidth, latency, energy");
    command.add_option("--device", arguments->device, "the DRAM device, as lpddr3-1600; --set dram.device")
        .type_name("D");
    command.add_option("--channels", arguments->channels, "channels; --set dram.channels").type_name("C");
    command.add_option("--bus-bits", arguments->bus_bits, "data bits of a channel; --set dram.bus_bits").type_name("B");
    command
        .add_option("--trace", arguments->trace,
                    "requests of a file, in the formats of DRAMsim3 (with cycles) and Ramulator")
        .type_name("FILE");
    command
        .add_option("--pattern", arguments->pattern, "chase-random, chase-sequential, stream, random or stride:BYTES")
        .type_name("PATTERN")
        .excludes("--trace");
    command.add_option("--write-fraction", arguments->write_fraction, "share of writes [0]")
        .type_name("F")
        .excludes("--trace");
    command.add_option("--load", arguments->load, "Poisson arrivals at this share of the peak bandwidth [saturated]")
        .type_name("F")
        .excludes("--trace");
    command.add_option("--requests", arguments->requests, "requests of 64 bytes [100000]")
        .type_name("N")
        .check(whole_number(1, 100'000'000))
        .excludes("--trace");
    command
        .add_option("--set", arguments->overrides,
                    "change a parameter of the memory, as in dram.page=closed; see tessera params")
        .type_name("PATH=VALUE")
        .one_value();
    command.add_flag("--json", arguments->json, "print one JSON object");
    command.footer(
        "Requests wait in order, the first for room in its channel: those of a chase each for the answer to the one\n"
        "before, saturated ones among 64, those with arrivals of their own without end. Latency is that of reads, "
        "from\n"
        "arrival to the last byte. Energy is that of the array: no interface, termination or power-down. Addresses of\n"
        "patterns are in 512 MiB. Traces have a request a line, ADDRESS READ|WRITE CYCLE (DRAMsim3, in cycles of the\n"
        "device's clock), or LD|ST ADDRESS, R|W ADDRESS or ADDRESS R|W (Ramulator, saturated).\n\n"
        "Example:  tessera dram --device lpddr3-1600 --channels 2 --bus-bits 32 --pattern random --load 0.5");
    command.callback([arguments] { play(*arguments); });
}

}  // namespace experiments
