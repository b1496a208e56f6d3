#include "models/prefetch/thread_aware.h"

namespace models {

// The stride from warp to warp, if it is trained.
BlockNumber ThreadAware::learn_neighbour(Counter counter, const CacheObservation& access) {
    const std::uint32_t warp = access.attribution.warp;
    NeighbourStride* const entry = neighbours_.use(counter);
    if (entry == nullptr) {
        neighbours_.insert(counter, {access.block, 0, 0, warp, none});
        return 0;
    }
    if (warp != entry->warp) {
        const BlockNumber stride = access.block - entry->last;
        if (stride != entry->stride || stride == 0) {
            entry->stride = stride;
            entry->trained = 0;
        } else if (warp != entry->warp_before) {
            entry->trained = 1;
        }
        entry->last = access.block;
        entry->warp_before = entry->warp;
        entry->warp = warp;
    }
    return entry->trained != 0 ? entry->stride : 0;
}

// The warp's own stride, if it is trained.
BlockNumber ThreadAware::learn_warp(Counter counter, const CacheObservation& access) {
    const WarpKey key = warp_key(counter, access.attribution.warp);
    WarpStride* const entry = warps_.use(key);
    if (entry == nullptr) {
        warps_.insert(key, {access.block, 0, 0});
        return 0;
    }
    if (access.block == entry->last) return 0;
    const BlockNumber stride = access.block - entry->last;
    entry->trained = stride == entry->stride ? 1 : 0;
    entry->stride = stride;
    entry->last = access.block;
    if (entry->trained == 0) return 0;
    promote(counter, stride);
    return stride;
}

void ThreadAware::promote(Counter counter, BlockNumber stride) {
    const auto is_alike = [=](WarpKey key, const WarpStride& entry) {
        return counter_of(key) == counter && entry.trained != 0 && entry.stride == stride;
    };
    if (warps_.count_if(is_alike) < promotion_) return;
    warps_.remove_if(is_alike);
    globals_.insert(counter, stride);
}

}  // namespace models
