#include "models/memory/memory_port.h"

namespace models {

MemoryPort::MemoryPort(engine::LogicalProcess* process, const MemoryPortShape& shape, engine::Time least_lookup)
    : requests(process, "requests", least_lookup + shape.injection_delay),
      reads(&process->counters(), "memory_reads", memory_client_names, "1",
            "lines requested from the L2 cache, those apart that are passed on for another process"),
      writes(&process->counters(), "memory_writes", memory_client_names, "1", "writes sent to the L2 cache"),
      replies(&process->counters(), "memory_replies", "1",
              "answers from the L2 cache, and from other caches that were asked (access_execute.remote_l1)"),
      l2_misses(&process->counters(), "memory_l2_misses", "1",
                "answers from the L2 cache that waited for a line to be fetched"),
      shape_(shape),
      slices_(shape.line_blocks, shape.slices),
      link_width_(shape.link_width),
      least_lookup_(least_lookup),
      credits_(static_cast<std::size_t>(shape.slices), shape.credits) {
    if (shape.tlb) tlb_ = std::make_unique<Tlb>(engine::CounterScope(&process->counters()), *shape.tlb);
    if (shape.observed.latency)
        round_trips_ = std::make_unique<RoundTrips>(&process->counters(), shape.observed.period);
}

bool MemoryPort::has_page(engine::Time now, const MemoryRequest& request, engine::Time delay) {
    const Tlb::Outcome outcome = tlb_->look_up(request, now + delay);
    if (outcome == Tlb::Outcome::asks) {
        MemoryRequest question;
        question.block = request.block;
        question.client = MemoryClient::page_table;
        question.attribution = request.attribution;
        question.sectors = 0;
        depart(now, question, question.block, now + delay);
    }
    return outcome == Tlb::Outcome::hit;
}

bool MemoryPort::take_reply(engine::Time now, const MemoryReply& reply) {
    if (reply.is_of_page()) {
        tlb_->take(page_of(reply.block), [&](const MemoryRequest& request, engine::Time ready) {
            depart(now, request, shape_.placement.physical(request.block), std::max(ready, now + least_lookup_));
        });
        return false;
    }
    ++credits_[slices_.slice(reply.block)];
    ++replies;
    l2_misses += reply.has_waited;
    if (round_trips_) round_trips_->answered(reply, now);
    return true;
}

void MemoryPort::add_laws(Laws& laws, const std::string& name, const Sum& asked) const {
    if (!tlb_) return;
    Sum all = asked;
    all.add(reads);
    all.add(writes);
    tlb_->add_laws(laws, name, all);
}

void MemoryPort::serialize(engine::Archive& archive) {
    archive(credits_, free_at_);
    if (tlb_) archive(*tlb_);
    if (round_trips_) archive(*round_trips_);
}

int MemoryPort::in_flight() const {
    int count = 0;
    for (const int credits : credits_) count += shape_.credits - credits;
    return count;
}

}  // namespace models
