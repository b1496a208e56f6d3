// Where the requests of decoupled access/execute come to the caches of a cluster (paper 000, section 3.3): a port of
// its own looks at the tags, one lookup a cycle, and what is not there is fetched into the cache. A component.
//
// What another cache is likely to hold is fetched from the L2 cache as all else: it is counted what paper 000 (section
// 3.4) would redirect.
//
// A request that its cache cannot fetch now (no MSHR but one, no credit) waits for the next answer, and those for the
// same cache behind it; those for the other cache pass.
#pragma once

#include <array>
#include <cstdint>

#include "engine/counter.h"
#include "models/memory/cache.h"
#include "models/structures/ring_queue.h"

namespace models {

class SnoopPort {
  public:
    static constexpr std::size_t caches = 2;
    struct Request {
        BlockNumber block = 0;
        Attribution attribution;
        std::uint32_t has_source = 0;  // another cache is likely to hold it, too
    };
    // Null: there is no such cache. `entries`: requests that may wait.
    SnoopPort(const engine::CounterScope& scope, const std::array<Cache*, caches>& of, std::size_t entries);

    void push(std::size_t cache, const Request& request) { waiting_[cache].push(request); }
    bool is_empty() const {
        for (const RingQueue<Request>& requests : waiting_)
            if (!requests.empty()) return false;
        return true;
    }
    // One cycle: the oldest request of the first cache that can serve one. True if one was served.
    bool step(engine::Time now);
    // There was an answer.
    void retry() { refused_ = {}; }

    void add_laws(Laws& laws, const std::string& name) const;
    void serialize(engine::Archive& archive) {
        for (RingQueue<Request>& requests : waiting_) archive(requests);
        archive(refused_);
    }

    engine::Counter lookups, hits, fetched, fetched_with_source, put_off;

  private:
    std::array<Cache*, caches> caches_;
    std::array<RingQueue<Request>, caches> waiting_;
    std::array<std::uint8_t, caches> refused_ = {};
};

}  // namespace models
