// Who owned which bucket when: rows of what tables noted at the ends of epochs (observe.owners).
//
//     central table         a row for each epoch and bucket: its owner as the epoch ends, before owners are found anew
//     a table in each core  a row for each bucket that a core claims as an epoch ends. Several may claim one: the one
//                           with most accesses has it then, of equal ones the lowest core. A bucket that nobody claims
//                           has no row, and keeps its owner
#pragma once

#include <cstdint>
#include <vector>

#include "models/base/records.h"

namespace models {

// Of a central table. `noted`, for each epoch: the cycle, and of each bucket the owner + 1 (0: none) and its counter.
Records owner_records(const std::vector<std::uint64_t>& noted, std::uint32_t buckets);

// Of tables of cores. `noted`, by core, for each claim: epoch, cycle, bucket and counter. `first`: the first epoch that
// began in the frame, of which nobody may have claimed anything.
Records claim_records(const std::vector<std::vector<std::uint64_t>>& noted, std::uint64_t first);

}  // namespace models
