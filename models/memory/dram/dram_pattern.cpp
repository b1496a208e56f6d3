#include "models/memory/dram/dram_pattern.h"

#include "engine/counter_rng.h"
#include "engine/exponential.h"

namespace models {
namespace {

constexpr std::uint64_t seed = 1;

double share(std::uint64_t random) {  // above 0, up to 1
    return static_cast<double>((random >> 11U) + 1) * 0x1p-53;
}

class Pattern {
  public:
    Pattern(const DramPattern& pattern, double cycles_per_line)
        : pattern_(pattern),
          gap_(pattern.load ? cycles_per_line / *pattern.load : 0) {}

    std::optional<DramAccess> next() {
        if (made_ == pattern_.requests) return {};
        DramAccess access;
        access.address = address();
        access.is_write = pattern_.write_fraction > 0 && share(writes_.next()) <= pattern_.write_fraction;
        access.arrival = static_cast<engine::Time>(time_);
        if (gap_ > 0) time_ += gap_ * 0x1p-32 * static_cast<double>(engine::exponential(arrivals_.next()));
        ++made_;
        return access;
    }

  private:
    Address address() {
        const std::uint64_t lines = pattern_.footprint / block_bytes;
        switch (pattern_.order) {
            case DramOrder::sequential:
                return made_ % lines * block_bytes;
            case DramOrder::random:
                return addresses_.next() % lines * block_bytes;
            case DramOrder::stride:
                break;
        }
        return made_ * pattern_.stride % pattern_.footprint;
    }

    DramPattern pattern_;
    double gap_, time_ = 0;  // cycles
    std::uint64_t made_ = 0;
    engine::CounterRng addresses_{seed, 0}, writes_{seed, 1}, arrivals_{seed, 2};
};

}  // namespace

DramLoad make_load(const DramPattern& pattern, const DramParameters& dram) {
    const DramDevice channel = dram.channel();
    const double cycles_per_line = static_cast<double>(block_bytes) / static_cast<double>(channel.burst_bytes()) *
                                   channel.timing.burst / dram.channels();
    DramLoad load;
    load.arrival = pattern.is_chase ? DramArrival::chase
                   : pattern.load   ? DramArrival::at_times
                                    : DramArrival::saturated;
    load.next = [made = Pattern(pattern, cycles_per_line)]() mutable { return made.next(); };
    return load;
}

}  // namespace models
