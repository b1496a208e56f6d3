// The way from a cache to what lies behind it: the network to the L2 cache, another core's cache, DRAM. Who hosts a
// cache gives it one.
#pragma once

#include <string_view>

#include "engine/units.h"
#include "models/memory/observed.h"
#include "models/memory/requests.h"

namespace models {

class MemoryExit {
  public:
    virtual ~MemoryExit() = default;

    // So many more requests for this block can be taken. What has no room for it tells the cache's host when it has.
    virtual bool can_send(BlockNumber block, int requests = 1) const = 0;
    // Departs `delay` ticks after now or later. The answer comes with the request's tag.
    virtual void send(engine::Time now, const MemoryRequest& request, engine::Time delay) = 0;
    // How many blocks of memory there are: nothing is prefetched from beyond them.
    virtual BlockNumber memory_blocks() const { return most_memory_blocks; }
    // The kind of unit that hands the host its answers, as a TimeAccount names it.
    virtual std::string_view answered_by() const = 0;
    // What is observed of the caches that send here.
    virtual Observed observed() const { return {}; }
};

}  // namespace models
