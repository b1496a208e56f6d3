// What the program allocates with operator new, counted; and allocations that fail on demand.
#pragma once

#include <cstdint>

namespace tests {

// Bytes allocated and not freed, and the most of them since reset_peak().
std::uint64_t live_bytes();
std::uint64_t peak_bytes();
void reset_peak();

// While this lives, the allocation after `successes` others throws std::bad_alloc, in whichever thread; those after it
// succeed.
class FailingAllocation {
  public:
    explicit FailingAllocation(std::int64_t successes);
    ~FailingAllocation();
    FailingAllocation(const FailingAllocation&) = delete;
    FailingAllocation& operator=(const FailingAllocation&) = delete;

    bool happened() const;
};

}  // namespace tests
