// Belady's optimum: the hits of a cache that always evicts the line whose next access is farthest away. It needs to
// know the future, so it is no member of the replacement policies but an oracle for a list of accesses: no policy that
// fetches what it misses has more hits; and none at all, if the optimum may pass by what it misses, too. Plain data: no
// time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <unordered_map>
#include <vector>

#include "models/structures/cache_array.h"

namespace models {

// For an access it needs 8 bytes beside those of the list, for a line some 40.
inline std::uint64_t optimal_hits(std::span<const LineNumber> accesses, const CacheArrayShape& shape,
                                  bool may_pass_by = false) {
    constexpr std::size_t no_more = std::numeric_limits<std::size_t>::max();
    std::vector<std::size_t> next(accesses.size(), no_more);  // access of the same line
    std::unordered_map<LineNumber, std::size_t> later;
    for (std::size_t i = accesses.size(); i-- > 0;) {
        const auto [at, is_last] = later.try_emplace(accesses[i], i);
        if (!is_last) next[i] = std::exchange(at->second, i);
    }
    struct Line {
        LineNumber number;
        std::size_t next;
    };
    std::vector<std::vector<Line>> sets(shape.sets);
    std::uint64_t hits = 0;
    for (std::size_t i = 0; i < accesses.size(); ++i) {
        std::vector<Line>& set = sets[shape.set_of(accesses[i])];
        const auto by_number = [&](const Line& line) { return line.number == accesses[i]; };
        if (const auto line = std::find_if(set.begin(), set.end(), by_number); line != set.end()) {
            ++hits;
            line->next = next[i];
        } else if (set.size() < shape.ways) {
            set.push_back({accesses[i], next[i]});
        } else {
            const auto is_sooner = [](const Line& a, const Line& b) { return a.next < b.next; };
            const auto latest = std::max_element(set.begin(), set.end(), is_sooner);
            if (!may_pass_by || next[i] < latest->next) *latest = {accesses[i], next[i]};
        }
    }
    return hits;
}

}  // namespace models
