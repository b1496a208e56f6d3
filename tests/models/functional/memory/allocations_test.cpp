#include "tests/models/functional/memory/allocations.h"

#include <atomic>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>
#include <vector>

#include <gtest/gtest.h>
#include <malloc.h>

namespace {

constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max() / 2;

std::atomic<std::uint64_t> live = 0, peak = 0;
std::atomic<std::int64_t> left = never;

void* allocate(std::size_t bytes, std::size_t alignment) {
    if (left.fetch_sub(1, std::memory_order_relaxed) == 0) throw std::bad_alloc();
    void* const memory = alignment > alignof(std::max_align_t)
                             ? std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment)
                             : std::malloc(bytes);
    if (memory == nullptr) throw std::bad_alloc();
    const std::uint64_t size = ::malloc_usable_size(memory);
    const std::uint64_t now = live.fetch_add(size) + size;
    for (std::uint64_t most = peak; most < now && !peak.compare_exchange_weak(most, now);) {
    }
    return memory;
}

void release(void* memory) {
    if (memory != nullptr) live.fetch_sub(::malloc_usable_size(memory));
    std::free(memory);
}

}  // namespace

void* operator new(std::size_t bytes) {
    return allocate(bytes, 1);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    return allocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
    release(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    release(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
    release(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    release(memory);
}

namespace tests {

std::uint64_t live_bytes() {
    return live;
}
std::uint64_t peak_bytes() {
    return peak;
}
void reset_peak() {
    peak = live.load();
}

FailingAllocation::FailingAllocation(std::int64_t successes) {
    left = successes;
}
FailingAllocation::~FailingAllocation() {
    left = never;
}
bool FailingAllocation::happened() const {
    return left < 0;
}

TEST(Allocations, AreCountedAndFailOnDemand) {
    const std::uint64_t before = live_bytes();
    {
        const std::vector<char> block(1 << 20);
        EXPECT_GE(live_bytes(), before + (1 << 20));
    }
    EXPECT_EQ(live_bytes(), before);
    const FailingAllocation failing(1);
    const auto first = std::make_unique<int>(1);
    EXPECT_FALSE(failing.happened());
    EXPECT_THROW(std::make_unique<int>(2), std::bad_alloc);
    EXPECT_TRUE(failing.happened());
    EXPECT_EQ(*std::make_unique<int>(3), 3);
}

}  // namespace tests
