// D-NUCA as paper 004 compares it (section VI): the directory at the L2 cache (directory.h) knows the one cache that
// has a line. A miss asks it, and goes on to that cache, or becomes the owner of a line that nobody has.
#pragma once

#include <string_view>

#include "engine/archive.h"
#include "models/frame_trace/memory.h"
#include "models/memory/home/route.h"

namespace models {

class DirectoryHome {
  public:
    static constexpr std::string_view name = "d_nuca";
    static constexpr HomeNeeds needs{.directory = true};

    DirectoryHome(const HomeShape& /*shape*/, CoreNumber /*core*/) {}

    HomeHit hit(BlockNumber /*block*/) { return {}; }
    Route miss(BlockNumber /*block*/) { return {Route::To::directory}; }
    bool serve(CoreNumber /*requester*/, BlockNumber /*block*/) { return true; }

    void serialize(engine::Archive& /*archive*/) {}
};

}  // namespace models
