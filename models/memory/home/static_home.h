// S-NUCA (Kim, Burger and Keckler, ASPLOS 2002; paper 004, II-D): the address alone says which cache has a block, by
// its "lower bits". Runs of `interleave` blocks go to the cores in turn. Nothing is stored and nothing is replicated,
// but of n cores each has but one block in n in its own cache, whoever uses it.
#pragma once

#include <string_view>

#include "engine/archive.h"
#include "models/frame_trace/memory.h"
#include "models/memory/home/route.h"
#include "models/structures/divisor.h"

namespace models {

class StaticHome {
  public:
    static constexpr std::string_view name = "s_nuca";
    static constexpr HomeNeeds needs{};

    StaticHome(const HomeShape& shape, CoreNumber core) : run_(shape.interleave), cores_(shape.cores), core_(core) {}

    CoreNumber home(BlockNumber block) const { return static_cast<CoreNumber>(cores_.remainder(run_.quotient(block))); }

    HomeHit hit(BlockNumber /*block*/) { return {}; }
    Route miss(BlockNumber block) {
        const CoreNumber core = home(block);
        return core == core_ ? Route{} : Route{Route::To::core, core};
    }
    bool serve(CoreNumber /*requester*/, BlockNumber /*block*/) { return true; }

    void serialize(engine::Archive& /*archive*/) {}

  private:
    Divisor run_, cores_;
    CoreNumber core_;
};

}  // namespace models
