#include "models/machine_parameters.h"

#include <bit>
#include <cassert>
#include <cstdio>
#include <numeric>
#include <optional>
#include <string>

#include "models/messages.h"

namespace models {
namespace {

constexpr std::int64_t line = 64;

bool power_of_two(std::int64_t n) {
    return n > 0 && std::has_single_bit(static_cast<std::uint64_t>(n));
}

void require(bool condition, const std::string& message) {
    if (!condition) throw engine::ConfigError(message);
}

void check_sets(const std::string& name, std::int64_t capacity, std::int64_t pieces, std::int64_t ways) {
    require(capacity % (pieces * ways * line) == 0 && power_of_two(capacity / (pieces * ways * line)),
            name + ": expected capacity / (ways x 64 B" + (pieces > 1 ? " x slices" : "") +
                ") to be a power of two (the number of sets), found " + std::to_string(capacity) + " B, " +
                std::to_string(ways) + " ways" + (pieces > 1 ? " and " + std::to_string(pieces) + " slices" : ""));
}

constexpr std::int64_t least_seconds = 3600;  // that a machine can simulate
constexpr std::int64_t most_rate = engine::end_of_time / least_seconds;

// Of clocks with these frequencies: ticks per second, if they leave the least time.
std::optional<std::int64_t> tick_rate(std::int64_t a, std::int64_t b) {
    std::int64_t rate = 0;
    if (__builtin_mul_overflow(a / std::gcd(a, b), b, &rate) || rate > most_rate) return {};
    return rate;
}

std::string frequency_text(std::int64_t hertz) {
    return engine::quantity_text(hertz, engine::Unit<Frequency>::suffixes,
                                 std::size(engine::Unit<Frequency>::suffixes));
}

// The nearest frequencies that are fine: multiples of a power of ten, the smallest that will do.
std::string fine_frequencies(std::int64_t a, std::int64_t b) {
    for (std::int64_t step = 10;; step *= 10) {
        const std::int64_t near_a = (a + step / 2) / step * step, near_b = (b + step / 2) / step * step;
        if (tick_rate(near_a, near_b)) return frequency_text(near_a) + " and " + frequency_text(near_b);
    }
}

void check_clocks(std::int64_t gpu, std::int64_t dram) {
    if (tick_rate(gpu, dram)) return;
    const std::int64_t divisor = std::gcd(gpu, dram);
    const double rate = static_cast<double>(gpu / divisor) * static_cast<double>(dram);
    char found[96];
    std::snprintf(found, sizeof found, "%.3g ticks per second, so that time ends after %.3g s", rate,
                  static_cast<double>(engine::end_of_time) / rate);
    throw engine::ConfigError(
        "gpu.frequency, dram.frequency: expected frequencies with a greater common divisor than " +
        frequency_text(divisor) + ", found " + frequency_text(gpu) + " and " + frequency_text(dram) + ": " + found +
        ", not " + std::to_string(least_seconds) + " s at least; " + fine_frequencies(gpu, dram) + " will do");
}

// Each processor's caches are two clients of the geometry's memory port, beside two that read indices and write lists.
constexpr int most_vertex_processors = (RequestTag::most_clients - 2) / 2;

}  // namespace

CacheParameters::CacheParameters(ParameterGroup* parent, std::string_view name, std::string_view doc,
                                 const Defaults& defaults)
    : ParameterGroup(parent, name, doc),
      capacity(this, "capacity", defaults.capacity, {{64}, {1 << 26}}, "data capacity", defaults.source),
      ways(this, "ways", defaults.ways, {1, 64}, "associativity; replacement is least recently used", defaults.source),
      latency(this, "latency", defaults.latency, {{1}, {256}}, "cycles of a lookup, and of a hit", defaults.source),
      mshrs(this, "mshrs", defaults.mshrs, {1, 128}, "lines in flight", "design"),
      merges(this, "merges", 16, {1, 256}, "accesses that may wait for one line in flight", "design") {}

void CacheParameters::check() const {
    check_sets(name(), capacity.count(), 1, ways());
}

ShaderCoreParameters::ShaderCoreParameters(ParameterGroup* parent, std::string_view name, std::string_view doc,
                                           const Defaults& defaults)
    : ParameterGroup(parent, name, doc),
      count(this, "count", defaults.count, {1, defaults.most}, "processors", defaults.count_source),
      warps(this, "warps", defaults.warps, {1, 64}, "warps resident in a processor", "design"),
      groups_per_warp(this, "groups_per_warp", defaults.groups_per_warp, {1, 16}, defaults.group_doc,
                      defaults.group_source),
      vector_width(this, "vector_width", 4, {1, 4},
                   "components a thread computes per cycle: 4 is a vec4 machine, 1 a scalar one",
                   "design: programs are vec4 instructions, issued one a cycle"),
      alu_latency(this, "alu_latency", {4}, {{1}, {256}}, "cycles until a simple operation's result can be used",
                  "design"),
      special_latency(this, "special_latency", {8}, {{1}, {256}},
                      "cycles until the result of a reciprocal, root, logarithm, ... can be used", "design"),
      special_interval(this, "special_interval", {1}, {{1}, {64}}, "cycles between two special operations", "design"),
      issue_policy(this, "issue_policy", {"oldest", "round_robin"}, "oldest",
                   "which ready warp issues: the oldest, or each in turn", "design") {}

void TilingParameters::check() const {
    require(line % list_entry.count() == 0,
            "tiling.list_entry: expected a divisor of 64 B, found " + std::to_string(list_entry.count()) + " B");
    require(parameter_buffer.count() % line == 0, "tiling.parameter_buffer: expected a multiple of 64 B, found " +
                                                      std::to_string(parameter_buffer.count()) + " B");
}

void L2Parameters::check() const {
    check_sets("l2", capacity.count(), slices(), ways());
    require(tag_latency() < latency(), "l2.tag_latency: expected less than l2.latency (" +
                                           std::to_string(latency.count()) + " cycles), found " +
                                           std::to_string(tag_latency.count()));
}

void DramParameters::check() const {
    const std::int64_t burst = line * channels() / bytes_per_cycle();
    require(
        line * channels() % bytes_per_cycle() == 0,
        "dram.bytes_per_cycle: expected a divisor of 64 x dram.channels, found " + std::to_string(bytes_per_cycle()));
    require(row_hit_latency.count() > burst, "dram.row_hit_latency: expected more than the " + std::to_string(burst) +
                                                 " cycles in which a channel moves 64 bytes, found " +
                                                 std::to_string(row_hit_latency.count()));
    require(row_miss_latency() >= row_hit_latency(), "dram.row_miss_latency: expected at least dram.row_hit_latency (" +
                                                         std::to_string(row_hit_latency.count()) + "), found " +
                                                         std::to_string(row_miss_latency.count()));
    require(interleave.count() % line == 0,
            "dram.interleave: expected a multiple of 64 B, found " + std::to_string(interleave.count()) + " B");
    require(
        row.count() % interleave.count() == 0 || interleave.count() % row.count() == 0,
        "dram.row: expected a multiple or a divisor of dram.interleave, found " + std::to_string(row.count()) + " B");
    require(row.count() % line == 0,
            "dram.row: expected a multiple of 64 B, found " + std::to_string(row.count()) + " B");
}

MachineParameters::MachineParameters()
    : gpu(this, "gpu", "what concerns the whole GPU"),
      geometry(this, "geometry", "command processor, vertex fetcher, primitive assembly"),
      vertex_processor(this, "vertex_processor", "in-order processor of vertex programs",
                       {4, most_vertex_processors, 4, 4, "vertices of a warp", "paper 004, Table I",
                        "design: as many threads as a quad has"}),
      vertex_cache(this, "vertex_cache", "private cache of a vertex processor: attributes and vertex textures",
                   {{4 << 10}, 2, {1}, 8, "paper 004, Table I"}),
      tiling(this, "tiling", "polygon-list builder, parameter buffer and tile fetcher"),
      tile_cache(this, "tile_cache", "cache of the tile fetcher", {{32 << 10}, 2, {2}, 16, "paper 004, Table I"}),
      raster(this, "raster", "rasteriser, early depth test, hand-out of quads"),
      fragment_processor(this, "fragment_processor", "in-order processor of fragment programs",
                         {32, 256, 8, 1, "quads of a warp", "paper 004, Table I",
                          "ARM Mali G71 and G72 (Bifrost): warps of four threads"}),
      texture_unit(this, "texture_unit", "texture unit of a processor"),
      texture_cache(this, "texture_cache", "private texture cache of a fragment processor",
                    {{16 << 10}, 4, {2}, 16, "paper 004, Table I"}),
      instruction_cache(this, "instruction_cache",
                        "private instruction cache of a processor; an instruction is 16 bytes",
                        {{8 << 10}, 4, {1}, 4, "design"}),
      blending(this, "blending", "blending, tile buffers and their way to memory"),
      l2(this, "l2", "second-level cache, shared by all"),
      dram(this, "dram", "main memory"),
      network(this, "network", "network on chip") {}

void MachineParameters::check() const {
    check_clocks(gpu.frequency.count(), dram.frequency.count());
    const int processors = fragment_processor.count();
    const int quads = processors * fragment_processor.groups_per_warp();
    require(raster.fragment_queue() >= quads, "raster.fragment_queue: expected at least " + std::to_string(quads) +
                                                  ", a warp for each fragment processor, found " +
                                                  std::to_string(raster.fragment_queue()));
    require(blending.colour_queue() >= processors,
            "blending.colour_queue: expected at least " + std::to_string(processors) +
                ", an entry for each fragment processor, found " + std::to_string(blending.colour_queue()));
    require(dram.queue() >= 2 * l2.slices(), "dram.queue: expected at least " + std::to_string(2 * l2.slices()) +
                                                 ", a read and a write-back for each L2 slice, found " +
                                                 std::to_string(dram.queue()));
    const int vertices = vertex_processor.groups_per_warp();
    require(geometry.vertex_queue() >= vertices, "geometry.vertex_queue: expected at least " +
                                                     std::to_string(vertices) + ", the vertices of a warp, found " +
                                                     std::to_string(geometry.vertex_queue()));
    const int rest = geometry.vertex_queue() % vertices, below = geometry.vertex_queue() - rest;
    require(rest == 0, "geometry.vertex_queue: expected a multiple of vertex_processor.groups_per_warp (" +
                           std::to_string(vertices) + "), as vertices wait in warps, found " +
                           std::to_string(geometry.vertex_queue()) + "; the nearest are " + std::to_string(below) +
                           " and " + std::to_string(below + vertices));
    const int groups = std::max(vertices, fragment_processor.groups_per_warp());
    require(texture_unit.accesses() >= groups, "texture_unit.accesses: expected at least " + std::to_string(groups) +
                                                   ", those of one warp, found " +
                                                   std::to_string(texture_unit.accesses()));
    require(dram.size.count() >= 4 * tiling.parameter_buffer.count(),
            "tiling.parameter_buffer: expected at most a quarter of dram.size, found " +
                std::to_string(tiling.parameter_buffer.count()) + " B");
}

Clocks::Clocks(const MachineParameters& parameters) {
    const std::int64_t a = parameters.gpu.frequency.count(), b = parameters.dram.frequency.count();
    const std::optional<std::int64_t> rate = tick_rate(a, b);
    assert(rate.has_value());
    ticks_per_second = *rate;
    gpu = ticks_per_second / a;
    dram = ticks_per_second / b;
}

}  // namespace models
