#include "models/pipeline/depth_unit.h"

#include <algorithm>

namespace models {

using engine::Time;

DepthUnit::DepthUnit(const engine::CounterScope& scope, const Shape& shape, const Workload& workload,
                     MemoryExit& memory, int part)
    : quads_early(scope, "quads_early_depth", "1", "quads whose depth or stencil was tested before shading"),
      quads_late(scope, "quads_late_depth", "1", "quads whose depth or stencil was tested or written after shading"),
      workload_(workload),
      period_(shape.period),
      latency_(shape.raster.early_depth_latency.count() * shape.period),
      early_(static_cast<std::size_t>(shape.raster.early_depth_quads())),
      late_(shape.late_quads),
      cache_({scope.list, {"depth_cache", -1}}, shape.cache.shape(shape.period), {memory, part, MemoryClient::depth}) {}

// What the quad looks up: nothing where its draw leaves depth and stencil alone.
DepthUnit::Test DepthUnit::describe(Time now, std::uint32_t number, std::uint32_t pass, bool is_late) const {
    const Frame& frame = workload_.frame();
    const Quad& quad = frame.quads[number];
    const Draw& draw = workload_.draw_of(number);
    Test test;
    test.ready_at = now + latency_;
    test.quad = number;
    test.pass = pass;
    const bool tests = draw.depth_test || draw.stencil_test, writes = draw.depth_write || draw.stencil_write;
    if (!is_late && !draw.early_test) return test;
    if (!tests && !writes) return test;
    const Workload::Place& place = workload_.place(number);
    test.lines = workload_.targets(pass).depth.of_quad(place.x, place.y);
    test.tests = tests ? 1 : 0;
    test.writes = writes && (is_late ? quad.written != 0 : draw.early_depth && quad.early_pass != 0) ? 1 : 0;
    return test;
}

void DepthUnit::test_early(Time now, std::uint32_t quad, std::uint32_t pass) {
    const Test& test = early_.push(describe(now, quad, pass, false));
    if (test.lines.count > 0) ++quads_early;
}

void DepthUnit::test_late(Time now, std::uint32_t quad, std::uint32_t pass, std::uint32_t source) {
    late_.push(describe(now, quad, pass, true)).source = source;
    ++quads_late;
}

// One line of the first quad that needs one. True if it was looked up, or can be in the next cycle.
bool DepthUnit::look_up(Time now, RingQueue<Test>& tests, std::uint32_t& next) {
    if (static_cast<std::int32_t>(next - tests.first_number()) < 0) next = tests.first_number();
    while (next != tests.end_number() && tests.numbered(next).is_looked_up()) ++next;
    if (next == tests.end_number() || refused_) return false;
    Test& test = tests.numbered(next);
    const std::uint32_t waiter = (next & ~late_bit) | (&tests == &late_ ? late_bit : 0);
    const BlockNumber line = test.lines.block(test.next);
    Attribution attribution;
    attribution.draw = workload_.frame().primitives[workload_.frame().quads[test.quad].primitive].draw;
    const bool reads = test.writes == 0 || (test.tests != 0 && test.was_read == 0 && !cache_.fetches_for_writes());
    const Cache::Outcome outcome =
        reads ? cache_.read(now, line, waiter, attribution) : cache_.write(now, line, waiter, attribution);
    if (outcome == Cache::Outcome::busy) return true;
    if (outcome == Cache::Outcome::refused) {
        refused_ = true;
        return false;
    }
    test.outstanding += Cache::lines_awaited(outcome);
    if (outcome == Cache::Outcome::hit) test.ready_at = std::max(test.ready_at, now + cache_.latency());
    test.was_read = reads && test.writes != 0 ? 1 : 0;
    if (test.was_read == 0) ++test.next;
    return true;
}

void DepthUnit::on_reply(Time now, const MemoryReply& reply) {
    if (reply.operation != MemoryOperation::read) {
        cache_.on_written();
        return;
    }
    for (const std::uint32_t waiter : cache_.fill(now, reply.tag)) {
        Test& test = (waiter & late_bit) != 0 ? late_.numbered(waiter & ~late_bit) : early_.numbered(waiter);
        --test.outstanding;
        test.ready_at = std::max(test.ready_at, now + period_);
    }
}

Time DepthUnit::next_event(Time now) const {
    Time next = engine::never;
    for (const RingQueue<Test>* tests : {&early_, &late_}) {
        if (tests->empty()) continue;
        const Test& test = tests->front();
        if (test.is_looked_up() && test.outstanding == 0 && test.ready_at > now) next = std::min(next, test.ready_at);
    }
    return next;
}

std::string DepthUnit::unfinished() const {
    return is_empty() ? "" : std::to_string(early_.size() + late_.size()) + " quads in depth tests";
}

void DepthUnit::serialize(engine::Archive& archive) {
    archive(early_, late_, early_next_, late_next_, refused_, cache_);
}

}  // namespace models
