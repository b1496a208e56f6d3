#include "models/memory/cache_parameters.h"

#include <algorithm>
#include <bit>

#include "models/base/without_effect.h"
#include "models/prefetch/prefetch_parameters.h"
#include "models/prefetch/prefetcher.h"

namespace models {

CacheParameters::CacheParameters(ParameterGroup* parent, std::string_view name, std::string_view doc,
                                 const Defaults& defaults, const PrefetchParameters* prefetch)
    : ParameterGroup(parent, name, doc),
      capacity(this, "capacity", defaults.capacity, {{64}, {1 << 28}}, defaults.capacity_doc, defaults.source),
      line(this, "line", {{"32 B", 32}, {"64 B", 64}, {"128 B", 128}}, block_bytes, "bytes of a line",
           "paper 004, Table I: 64 bytes in all caches"),
      sector(this, "sector", {{"32 B", 32}, {"64 B", 64}, {"line", most_line_bytes}}, most_line_bytes,
             "bytes that are fetched alone", "the papers' caches have no sectors"),
      ways(this, "ways", defaults.ways, {1, 64}, "associativity", defaults.source),
      banks(this, "banks", defaults.banks, {1, 64}, "banks, of neighbouring sets in turn: a power of two",
            defaults.banks == 1 ? "design" : "paper 000, Table 1: 4 banks"),
      ports(this, "ports", 1, {1, 16}, "accesses that a bank serves in a cycle", "design"),
      latency(this, "latency", defaults.latency, {{1}, {1000}}, "cycles of a lookup, and of a hit", defaults.source),
      fill_cycles(this, "fill_cycles", {1}, {{0}, {64}},
                  "cycles for which a line that comes keeps its bank from serving accesses", "design"),
      mshrs(this, "mshrs", defaults.mshrs, {1, 256}, "lines in flight", "design"),
      targets(this, "targets", defaults.targets, {1, 1024}, "accesses that may wait for one line in flight", "design"),
      eviction_buffer(this, "eviction_buffer", defaults.eviction_buffer, {2, 1024},
                      "written lines that wait to be sent back", "design"),
      write_policy(this, "write_policy",
                   {{"write_back", WritePolicy::write_back},
                    {"no_allocate", WritePolicy::no_allocate},
                    {"write_through", WritePolicy::write_through}},
                   WritePolicy::write_back,
                   "writes: to the cache; of lines that are there to the cache, others sent on; all sent on", "design"),
      replacement(this, "replacement", options_of<Replacement>(), 0, "which line of a set goes when another comes",
                  "design: the papers name no policy"),
      index(this, "index", {{"lowest_bits", SetIndex::lowest_bits}, {"folded", SetIndex::folded}},
            SetIndex::lowest_bits,
            "the set of a line: the lowest bits of its number, or these combined (xor) with as many above them",
            "design: the papers name none; folded is that of skewed and hashed caches (Topham and Gonzalez 1999)"),
      prefetcher(this, "prefetcher", options_of<Prefetcher>(), 0, "what brings lines before they are asked for",
                 "the papers' baselines have none"),
      perfect(this, "perfect", false,
              "every access hits, and nothing is written back: how much the cache's misses cost",
              "paper 000, section 2: a machine with perfect caches as the bound"),
      prefetch_(prefetch) {}

void CacheParameters::check() const {
    check_pieces(1);
}

void CacheParameters::check_pieces(int pieces) const {
    const auto is_power = [](std::int64_t value) { return std::has_single_bit(static_cast<std::uint64_t>(value)); };
    require(is_power(banks()), name() + ".banks: expected a power of two, found " + banks.value_text());
    if (line() == sector_bytes) {
        const std::string why = ", for the two lines of 32 bytes of a block, found ";
        require(mshrs() >= 2, name() + ".mshrs: expected at least 2" + why + mshrs.value_text());
        require(capacity.count() >= 2 * std::int64_t{ways()} * line(),
                name() + ".capacity: expected at least two sets" + why + capacity.value_text());
    }
    const std::int64_t set = std::int64_t{pieces} * ways() * line();
    const bool fits = capacity.count() >= set && capacity.count() % set == 0 && is_power(capacity.count() / set);
    require(fits, name() + ": expected capacity / (ways x line" + (pieces > 1 ? " x slices" : "") +
                      ") to be a power of two (the number of sets), found " + std::to_string(capacity.count()) +
                      " B, " + std::to_string(ways()) + " ways of " + std::to_string(line()) + " B" +
                      (pieces > 1 ? " and " + std::to_string(pieces) + " slices" : ""));
}

void CacheParameters::add_without_effect(WithoutEffect& found) const {
    if (!perfect()) return;
    found.add(*this, name() + ".perfect is true",
              {&sector, &fill_cycles, &mshrs, &targets, &write_policy, &replacement, &index, &prefetcher});
}

CacheShape CacheParameters::shape(engine::Time period) const {
    return shape_of_piece(period, 1);
}

CacheShape CacheParameters::shape_of_piece(engine::Time period, int pieces) const {
    CacheShape shape;
    shape.array = {static_cast<std::uint32_t>(capacity.count() / (std::int64_t{pieces} * ways() * line())),
                   static_cast<std::uint32_t>(ways()), static_cast<std::uint32_t>(pieces), replacement(), index()};
    shape.line_bytes = line();
    shape.sector_bytes = std::min(line(), sector());
    shape.banks = static_cast<std::uint32_t>(banks());
    shape.ports = static_cast<std::uint32_t>(ports());
    shape.mshrs = static_cast<std::uint32_t>(mshrs());
    shape.targets = static_cast<std::uint32_t>(targets());
    shape.eviction_buffer = static_cast<std::uint32_t>(eviction_buffer());
    shape.write_policy = write_policy();
    shape.prefetcher = prefetcher();
    if (prefetch_ != nullptr) shape.prefetch = prefetch_->shape(period);
    shape.latency = latency.count() * period;
    shape.miss_latency = shape.latency;
    shape.fill_time = fill_cycles.count() * period;
    shape.perfect = perfect();
    return shape;
}

}  // namespace models
