// Brings nothing: the caches of the papers' baselines.
#pragma once

#include <string_view>

#include "engine/archive.h"
#include "models/prefetch/prefetch_queue.h"
#include "models/prefetch/prefetch_shape.h"

namespace models {

class NoPrefetcher {
  public:
    static constexpr std::string_view name = "none";
    explicit NoPrefetcher(const PrefetchShape& /*shape*/) {}
    void observe(const CacheObservation& /*access*/, PrefetchQueue& /*requests*/) {}
    void serialize(engine::Archive& /*archive*/) {}
};

}  // namespace models
