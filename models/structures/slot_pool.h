// Places for things, each known by its number while it is there; a place that is free again is taken first, so there
// are never more places than things were there together. Plain data: no time, no ports.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/archive.h"

namespace models {

template <class T>
class SlotPool {
  public:
    std::uint32_t used() const { return static_cast<std::uint32_t>(items_.size() - free_.size()); }

    // The number of its place.
    std::uint32_t put(const T& item) {
        if (free_.empty()) {
            items_.push_back(item);
            return static_cast<std::uint32_t>(items_.size() - 1);
        }
        const std::uint32_t place = free_.back();
        free_.pop_back();
        items_[place] = item;
        return place;
    }
    // What is there, which leaves it.
    T take(std::uint32_t place) {
        assert(place < items_.size() && used() > 0);
        free_.push_back(place);
        return items_[place];
    }

    void serialize(engine::Archive& archive) { archive(items_, free_); }

  private:
    std::vector<T> items_;
    std::vector<std::uint32_t> free_;  // the next one to be taken last
};

}  // namespace models
