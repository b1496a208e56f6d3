// A component that reads through a cache of its own, which takes 2 cycles for a lookup and none for a fill, before a
// memory that answers after 100.
#pragma once

#include <memory>

#include "models/memory/cache.h"
#include "tests/models/hosted_fixture.h"

namespace models {

class CacheReaderTest : public HostedTest {
  protected:
    static constexpr engine::Time lookup = 2, memory_time = 100;
    static constexpr engine::Time miss_time = lookup + 1 + memory_time + 1;  // with a cycle there and one back

    void build_cache(CacheParameters& of, MemoryClient client, int credits) {
        build_host(memory_time, credits);
        of.fill_cycles.set("0");
        cache = std::make_unique<Cache>(&host->counters(), of.shape(1), Cache::Site{host->memory, 0, client});
    }

    std::unique_ptr<Cache> cache;
};

}  // namespace models
