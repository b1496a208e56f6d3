// What a prefetcher sees of a cache, and where it puts what it wants: the two ends that all prefetchers share.
#pragma once

#include "models/memory/requests.h"
#include "models/structures/ring_queue.h"

namespace models {

// A lookup of a cache: what, for which warp and program counter, and whether it was there.
struct CacheObservation {
    BlockNumber block;
    bool hit;
    Attribution attribution;
};

// Blocks that the cache is to bring when it has time. A request that finds no room is dropped.
using PrefetchQueue = RingQueue<BlockNumber>;

}  // namespace models
