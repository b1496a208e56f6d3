// Which bucket a block belongs to (paper 004, III-A): page p = block / m, bucket b = p mod n. Neighbouring blocks share
// a page, so they have one owner; pages that are n apart share a bucket.
#pragma once

#include "models/frame_trace/memory.h"
#include "models/structures/divisor.h"

namespace models {

class BucketMap {
  public:
    BucketMap(std::uint32_t blocks_of_page, std::uint32_t buckets) : page_(blocks_of_page), buckets_(buckets) {}
    std::uint32_t bucket(BlockNumber block) const { return buckets_.remainder(page_.quotient(block)); }

  private:
    Divisor page_, buckets_;
};

}  // namespace models
