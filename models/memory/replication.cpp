#include "models/memory/replication.h"

#include <algorithm>
#include <cassert>
#include <span>

namespace models {

void Census::note(const Cache& cache) {
    const std::uint64_t lookups = cache.accesses.value();
    series.append(static_cast<std::uint64_t>(intervals_.start()));
    series.append(static_cast<std::uint64_t>(intervals_.end()));
    series.append(lookups - lookups_);
    series.append(cache.last_looked_up() == none ? 0 : std::uint64_t{cache.last_looked_up()} + 1);
    lookups_ = lookups;
    std::vector<std::uint64_t> lines;
    cache.array().for_each([&](const CacheArray::Line& line) { lines.push_back(line.number); });
    cache.for_each_awaited([&](LineNumber line) { lines.push_back(line); });
    std::sort(lines.begin(), lines.end());
    lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
    series.append(lines.size());
    for (const std::uint64_t line : lines) series.append(line);
}

namespace {

struct Noted {
    engine::Time start, end;
    std::uint64_t lookups, last;
    std::span<const std::uint64_t> lines;
};

Noted next_of(std::span<const std::uint64_t>& rest) {
    constexpr std::size_t head = 5;
    Noted noted{static_cast<engine::Time>(rest[0]), static_cast<engine::Time>(rest[1]), rest[2], rest[3],
                rest.subspan(head, rest[4])};
    rest = rest.subspan(head + noted.lines.size());
    return noted;
}

bool holds(const Noted& noted, std::uint64_t line) {
    return std::binary_search(noted.lines.begin(), noted.lines.end(), line);
}

}  // namespace

TimeSeries count_sharers(const std::vector<std::vector<std::uint64_t>>& noted, bool are_one) {
    const std::size_t caches = noted.size();
    TimeSeries series{
        "texture_replication",
        "lines in texture caches, and lookups, by the number of caches that hold the line",
        "sharers",
        {},
        {},
        {{"lines", "1", "distinct lines that so many texture caches hold at the end of the interval", {}},
         {"lookups", "1", "lookups of the interval whose line so many texture caches hold, as samples tell", {}}}};
    for (std::uint32_t i = 1; i <= caches; ++i) series.indices.push_back(i);
    std::vector<std::span<const std::uint64_t>> rest(noted.begin(), noted.end());
    std::vector<std::uint64_t> all;
    while (caches > 0 && !rest[0].empty()) {
        std::vector<Noted> census;
        all.clear();
        for (std::span<const std::uint64_t>& cache : rest) {
            census.push_back(next_of(cache));
            assert(census.back().start == census[0].start && census.back().end == census[0].end);
            all.insert(all.end(), census.back().lines.begin(), census.back().lines.end());
        }
        if (series.edges.empty()) series.edges.push_back(census[0].start);
        series.edges.push_back(census[0].end);
        std::vector<std::uint64_t> lines(caches, 0), lookups(caches, 0);
        std::sort(all.begin(), all.end());
        for (std::size_t i = 0, end = 0; i < all.size(); i = end) {
            while (end < all.size() && all[end] == all[i]) ++end;
            ++lines[end - i - 1];
        }
        for (std::size_t cache = 0; cache < caches; ++cache) {
            if (census[cache].lookups == 0) continue;
            std::size_t holders = 0;
            for (std::size_t other = 0; other < caches; ++other) {
                const bool looked_up = other == cache && !are_one;
                holders += looked_up || holds(census[other], census[cache].last - 1) ? 1 : 0;
            }
            lookups[std::max<std::size_t>(1, holders) - 1] += census[cache].lookups;
        }
        series.columns[0].values.insert(series.columns[0].values.end(), lines.begin(), lines.end());
        series.columns[1].values.insert(series.columns[1].values.end(), lookups.begin(), lookups.end());
    }
    return series;
}

}  // namespace models
