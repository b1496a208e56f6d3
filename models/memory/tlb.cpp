#include "models/memory/tlb.h"

#include <algorithm>
#include <utility>

namespace models {

Tlb::Tlb(const engine::CounterScope& scope, const Shape& shape)
    : hits(scope, "tlb_hits", "1", "requests whose page was known"),
      misses(scope, "tlb_misses", "1", "requests whose page had to be asked for"),
      joined(scope, "tlb_joined", "1", "requests whose page had been asked for"),
      answers(scope, "tlb_answers", "1", "translations that came"),
      array_({shape.entries / shape.ways, shape.ways, 1, 0}),
      room_(shape.waiting) {
    waiting_.reserve(room_);
}

Tlb::Outcome Tlb::look_up(const MemoryRequest& request, engine::Time ready) {
    const PageNumber page = page_of(request.block);
    if (array_.access(page) != nullptr) {
        ++hits;
        return Outcome::hit;
    }
    assert(has_room(1));
    const bool asked = std::any_of(waiting_.begin(), waiting_.end(),
                                   [page](const Waiting& waiting) { return page_of(waiting.request.block) == page; });
    ++(asked ? joined : misses);
    waiting_.push_back({request, ready});
    return asked ? Outcome::waits : Outcome::asks;
}

void Tlb::add_laws(Laws& laws, const std::string& name, Sum requests) const {
    laws.equal(name + ": requests = hits, misses and those that joined one in its TLB", std::move(requests),
               {hits, misses, joined});
    laws.equal(name + ": misses of its TLB = translations", {misses}, {answers});
}

}  // namespace models
