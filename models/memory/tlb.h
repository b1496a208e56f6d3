// A translation look-aside buffer: the pages that a memory port knows the places of. A component: requests for other
// pages wait in it, in order, until the port has been told where their page lies; requests for pages that it knows pass
// them. Of two requests for one page none passes the other. A lookup goes on beside that of the cache before, and takes
// no time of its own.
#pragma once

#include <cassert>
#include <cstdint>
#include <vector>

#include "engine/archive.h"
#include "engine/counter.h"
#include "models/base/laws.h"
#include "models/memory/requests.h"
#include "models/structures/cache_array.h"
#include "models/structures/page_tables.h"

namespace models {

class Tlb {
  public:
    struct Shape {
        std::uint32_t entries, ways;
        std::size_t waiting;  // requests
    };
    Tlb(const engine::CounterScope& scope, const Shape& shape);

    bool has_room(int requests) const { return waiting_.size() + static_cast<std::size_t>(requests) <= room_; }

    enum class Outcome : std::uint8_t {
        hit,
        waits,  // it is kept; its page has been asked for
        asks,   // it is kept; its page has to be asked for
    };
    // Needs room for one. `ready`: when the request could depart.
    Outcome look_up(const MemoryRequest& request, engine::Time ready);

    // The page's place is known: depart(request, ready) for all that waited for it, in order.
    template <class Depart>
    void take(PageNumber page, Depart&& depart) {
        ++answers;
        array_.place(page).line->valid = 1;
        std::size_t kept = 0;
        for (const Waiting& waiting : waiting_)
            if (page_of(waiting.request.block) == page)
                depart(waiting.request, waiting.ready);
            else
                waiting_[kept++] = waiting;
        waiting_.resize(kept);
    }

    void add_laws(Laws& laws, const std::string& name, Sum requests) const;
    void serialize(engine::Archive& archive) { archive(array_, waiting_); }

    engine::Counter hits, misses, joined, answers;

  private:
    struct Waiting {
        MemoryRequest request;
        engine::Time ready = 0;
    };
    CacheArray array_;
    std::vector<Waiting> waiting_;  // oldest first
    std::size_t room_;
};

}  // namespace models
