// What `tessera cache` prints.
#pragma once

#include "models/memory/cache_study.h"

namespace experiments {

// One object. Ratios are of accesses; keys of bytes end in _B, those of lines in _lines; the other numbers are
// accesses.
//
//     accesses writes hits misses hit_ratio
//     cold_misses capacity_misses conflict_misses
//     optimal_hits optimal_hit_ratio               Belady's optimum
//     fetched_B written_B                          behind the cache
//     written_back_lines left_dirty_lines
//     prefetched_lines prefetched_used_lines prefetched_useless_lines
//     first_accesses                               of lines
//     reuse_distance_lines                         the others: [{"from": 2, "to": 3, "accesses": 17}, ...], bins with
//                                                  no gaps from 0 to the farthest
void print_cache_json(const models::CacheFigures& figures);

// A table, and the reuse distances as bars.
void print_cache_text(const models::CacheFigures& figures, const models::CacheParameters& cache);

}  // namespace experiments
