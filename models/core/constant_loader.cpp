#include "models/core/constant_loader.h"

namespace models {

ConstantLoader::ConstantLoader(const engine::CounterScope& scope, int core, const Workload& workload, Cache& cache,
                               engine::Time period)
    : loads(scope, "constant_loads", "1", "programs whose constants were loaded"),
      lines(scope, "constant_lines", "1", "lines of constants looked up"),
      cycles(scope, "constant_cycles", "cycle", "from the wish for constants until they were there, summed"),
      workload_(workload),
      cache_(&cache),
      waiter_(static_cast<std::uint32_t>(core)),
      period_(period) {}

bool ConstantLoader::has(engine::Time now, std::uint32_t draw, bool vertex) {
    std::uint32_t& loaded = loaded_[vertex ? 1 : 0];
    if (loaded == draw) return true;
    if (is_loading()) return false;
    if (workload_.constants().runs(draw, vertex).empty()) {
        loaded = draw;
        return true;
    }
    draw_ = draw;
    vertex_ = vertex;
    run_ = next_ = 0;
    began_ = ready_at_ = now;
    ++loads;
    return false;
}

bool ConstantLoader::step(engine::Time now) {
    if (refused_) return false;
    const auto runs = workload_.constants().runs(draw_, vertex_);
    if (run_ < runs.size()) {
        Attribution attribution;
        attribution.draw = draw_;
        const Cache::Outcome outcome = cache_->read(now, runs[run_].first + next_, waiter_, attribution);
        refused_ = outcome == Cache::Outcome::refused;
        busy_ = outcome == Cache::Outcome::busy;
        if (!Cache::is_served(outcome)) return busy_;
        awaited_ += Cache::lines_awaited(outcome);
        ready_at_ = now + cache_->latency();
        ++lines;
        if (++next_ == runs[run_].count) {
            ++run_;
            next_ = 0;
        }
        return run_ < runs.size() || awaited_ == 0;
    }
    if (awaited_ > 0) return false;
    if (now < ready_at_) return true;
    loaded_[vertex_ ? 1 : 0] = draw_;
    draw_ = none;
    cycles += static_cast<std::uint64_t>((now - began_) / period_);
    return true;
}

}  // namespace models
