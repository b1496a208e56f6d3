// A first-in first-out queue of fixed capacity, as hardware has them. Plain data: no time, no ports.
#pragma once

#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/archive.h"

namespace models {

template <class T>
class RingQueue {
  public:
    explicit RingQueue(std::size_t capacity)
        : items_(std::bit_ceil(capacity)),
          mask_(static_cast<std::uint32_t>(items_.size() - 1)),
          capacity_(static_cast<std::uint32_t>(capacity)) {}

    bool empty() const { return first_ == end_; }
    bool full() const { return size() == capacity_; }
    std::uint32_t size() const { return end_ - first_; }
    std::uint32_t capacity() const { return capacity_; }
    std::uint32_t room() const { return capacity_ - size(); }

    T& front() { return items_[first_ & mask_]; }
    const T& front() const { return items_[first_ & mask_]; }
    T& back() { return items_[(end_ - 1) & mask_]; }
    const T& back() const { return items_[(end_ - 1) & mask_]; }
    T& push(const T& item) {
        assert(!full());
        return items_[end_++ & mask_] = item;
    }
    void pop() {
        assert(!empty());
        ++first_;
    }

    // Every item has a number, counted from the first one ever pushed, by which it can be found while it is in the
    // queue. Only the low bits count, so a number may be cut to 31 bits.
    std::uint32_t first_number() const { return first_; }
    std::uint32_t end_number() const { return end_; }
    T& numbered(std::uint32_t number) {
        assert(((number - first_) & mask_) < size());
        return items_[number & mask_];
    }
    const T& numbered(std::uint32_t number) const { return const_cast<RingQueue*>(this)->numbered(number); }

    void serialize(engine::Archive& archive) { archive(items_, first_, end_); }

  private:
    std::vector<T> items_;
    std::uint32_t mask_;
    std::uint32_t capacity_;
    std::uint32_t first_ = 0, end_ = 0;
};

}  // namespace models
