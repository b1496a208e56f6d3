// Every core has its own cache and no other: what misses is asked of the L2 cache, and a block may be in all caches.
// The baseline of paper 004.
#pragma once

#include <string_view>

#include "engine/archive.h"
#include "models/frame_trace/memory.h"
#include "models/memory/home/route.h"

namespace models {

class PrivateHome {
  public:
    static constexpr std::string_view name = "private";
    static constexpr HomeNeeds needs{.mesh = false};

    PrivateHome(const HomeShape& /*shape*/, CoreNumber /*core*/) {}

    HomeHit hit(BlockNumber /*block*/) { return {}; }
    Route miss(BlockNumber /*block*/) { return {}; }
    bool serve(CoreNumber /*requester*/, BlockNumber /*block*/) { return true; }

    void serialize(engine::Archive& /*archive*/) {}
};

}  // namespace models
