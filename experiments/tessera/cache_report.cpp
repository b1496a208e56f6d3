#include "experiments/tessera/cache_report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace experiments {
namespace {

using models::CacheFigures;

struct Bin {
    std::uint64_t from, to;  // lines
    std::uint64_t accesses;
};

// Up to the last that is not empty.
std::vector<Bin> bins_of(const CacheFigures& figures) {
    std::size_t count = figures.reuse.size();
    while (count > 0 && figures.reuse[count - 1] == 0) --count;
    std::vector<Bin> bins;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t end = std::uint64_t{1} << i;
        bins.push_back({end / 2, end - 1, figures.reuse[i]});
    }
    return bins;
}

double share(std::uint64_t part, const CacheFigures& figures) {
    return static_cast<double>(part) / static_cast<double>(figures.accesses);
}

void print_share(const std::string& name, std::uint64_t part, const CacheFigures& figures, const std::string& note) {
    std::printf("%-19s %12llu %7.2f %%%s%s\n", name.c_str(), static_cast<unsigned long long>(part),
                100 * share(part, figures), note.empty() ? "" : "  ", note.c_str());
}

void print_amount(const char* name, std::uint64_t amount, const char* unit) {
    std::printf("%-19s %12llu %s\n", name, static_cast<unsigned long long>(amount), unit);
}

void print_histogram(const CacheFigures& figures) {
    constexpr double longest = 40;
    const std::vector<Bin> bins = bins_of(figures);
    std::uint64_t most = figures.first_accesses;
    for (const Bin& bin : bins) most = std::max(most, bin.accesses);
    const auto print = [&](const std::string& name, std::uint64_t accesses) {
        const double length = longest * static_cast<double>(accesses) / static_cast<double>(most);
        const std::size_t whole = accesses == 0 ? 0 : static_cast<std::size_t>(std::max(1L, std::lround(length)));
        print_share("  " + name, accesses, figures, std::string(whole, '#'));
    };
    std::printf("\nreuse distance: other lines accessed since the last access of the line\n");
    for (const Bin& bin : bins)
        print(std::to_string(bin.from) + (bin.to > bin.from ? " .. " + std::to_string(bin.to) : ""), bin.accesses);
    print("first access", figures.first_accesses);
}

}  // namespace

void print_cache_json(const CacheFigures& figures) {
    const char* separator = "{";
    const auto count = [&](const char* key, std::uint64_t value) {
        std::printf("%s\"%s\": %llu", std::exchange(separator, ", "), key, static_cast<unsigned long long>(value));
    };
    count("accesses", figures.accesses);
    count("writes", figures.writes);
    count("hits", figures.hits);
    count("misses", figures.misses);
    std::printf(", \"hit_ratio\": %.6g", share(figures.hits, figures));
    count("cold_misses", figures.cold);
    count("capacity_misses", figures.capacity);
    count("conflict_misses", figures.conflict);
    count("optimal_hits", figures.optimal_hits);
    std::printf(", \"optimal_hit_ratio\": %.6g", share(figures.optimal_hits, figures));
    count("fetched_B", figures.bytes_fetched);
    count("written_B", figures.bytes_written);
    count("written_back_lines", figures.lines_written_back);
    count("left_dirty_lines", figures.lines_left_dirty);
    count("prefetched_lines", figures.prefetches);
    count("prefetched_used_lines", figures.prefetches_used);
    count("prefetched_useless_lines", figures.prefetches_useless);
    count("first_accesses", figures.first_accesses);
    std::printf(", \"reuse_distance_lines\": [");
    separator = "";
    for (const Bin& bin : bins_of(figures))
        std::printf("%s{\"from\": %llu, \"to\": %llu, \"accesses\": %llu}", std::exchange(separator, ", "),
                    static_cast<unsigned long long>(bin.from), static_cast<unsigned long long>(bin.to),
                    static_cast<unsigned long long>(bin.accesses));
    std::printf("]}\n");
}

void print_cache_text(const CacheFigures& figures, const models::CacheParameters& cache) {
    const models::CacheShape shape = cache.shape(1);
    std::printf("cache               %s: %u sets of %u ways, lines of %u B", cache.capacity.value_text().c_str(),
                shape.array.sets, shape.array.ways, shape.line_bytes);
    if (shape.sector_bytes < shape.line_bytes) std::printf(" in sectors of %u B", shape.sector_bytes);
    std::printf(", %s, %s\n", cache.replacement.value_text().c_str(), cache.write_policy.value_text().c_str());
    const std::string writes = std::to_string(figures.writes);
    print_share("accesses", figures.accesses, figures, writes + (figures.writes == 1 ? " write" : " writes"));
    print_share("hits", figures.hits, figures, "");
    print_share("misses", figures.misses, figures, "");
    print_share("  cold", figures.cold, figures, "what had not been accessed before");
    print_share("  capacity", figures.capacity, figures, "with LRU in one set, too");
    print_share("  conflict", figures.conflict, figures, "of ways, replacement, writes that were not kept");
    print_share("Belady's hits", figures.optimal_hits, figures, "with the best replacement in as many sets and ways");
    print_amount("fetched", figures.bytes_fetched, "B");
    print_amount("written", figures.bytes_written, "B");
    print_amount("written back", figures.lines_written_back, "lines");
    print_amount("left dirty", figures.lines_left_dirty, "lines");
    if (shape.prefetcher != 0) {
        print_amount("prefetched", figures.prefetches, "lines");
        print_amount("  used", figures.prefetches_used, "lines");
        print_amount("  useless", figures.prefetches_useless, "lines");
    }
    print_histogram(figures);
}

}  // namespace experiments
