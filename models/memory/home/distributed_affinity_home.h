// DTM-NUCA with an affinity table in every core (paper 004, IV-B; local_affinity_table.h): who owns a block is known
// without asking anybody, and may be out of date.
//
// A core that is asked for a block serves it, though by its own table another one may own it: no request is passed on
// from core to core, so none goes round in circles.
#pragma once

#include <string_view>

#include "engine/archive.h"
#include "models/memory/home/local_affinity_table.h"
#include "models/memory/home/route.h"

namespace models {

class DistributedAffinityHome {
  public:
    static constexpr std::string_view name = "dtm_nuca_distributed";
    static constexpr HomeNeeds needs{.tables = HomeNeeds::Tables::of_cores};

    DistributedAffinityHome(const HomeShape& shape, CoreNumber core)
        : table_(shape.affinity, core),
          core_(core),
          count_hits_(shape.count_hits),
          count_served_(shape.count_served),
          always_recent_(shape.recent_without_owning) {}

    HomeHit hit(BlockNumber block) {
        const bool recent = is_recent(block);
        if (count_hits_) table_.access(core_, block);
        return {recent, 0};
    }
    Route miss(BlockNumber block) {
        const CoreNumber owner = table_.access(core_, block);
        return owner == core_ ? Route{} : Route{Route::To::core, owner};
    }
    bool serve(CoreNumber requester, BlockNumber block) {
        const bool recent = is_recent(block);
        if (count_served_) table_.access(requester, block);
        return recent;
    }

    LocalAffinityTable& table() { return table_; }
    const LocalAffinityTable& table() const { return table_; }

    void serialize(engine::Archive& archive) { archive(table_); }

  private:
    bool is_recent(BlockNumber block) const { return always_recent_ || table_.owns(block); }

    LocalAffinityTable table_;
    CoreNumber core_;
    bool count_hits_, count_served_, always_recent_;
};

}  // namespace models
