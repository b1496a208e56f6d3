// Tree pseudo-LRU: a binary tree over the ways of a set, in which every node points to the half that was accessed
// longer ago; the victim is where the pointers lead. One bit for each way but one, where exact LRU needs an order of
// all. Ways that are not a power of two leave the tree's last leaves empty; pointers to nothing but those are not
// followed.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/archive.h"

namespace models {

class PseudoLeastRecentlyUsed {
  public:
    static constexpr std::string_view name = "pseudo_lru";

    PseudoLeastRecentlyUsed(std::uint32_t sets, std::uint32_t ways)
        : trees_(sets, 0),
          ways_(ways),
          leaves_(std::bit_ceil(ways)) {}

    // All pointers on the path to the way point away from it.
    void hit(std::uint32_t set, std::uint32_t way) {
        std::uint64_t tree = trees_[set];
        for (std::uint32_t node = leaves_ + way; node > 1; node /= 2) {
            const std::uint64_t bit = std::uint64_t{1} << node / 2;
            tree = (node & 1U) == 0 ? tree | bit : tree & ~bit;
        }
        trees_[set] = tree;
    }
    void fill(std::uint32_t set, std::uint32_t way) { hit(set, way); }

    std::uint32_t victim(std::uint32_t set) const {
        std::uint32_t node = 1, first = 0;
        for (std::uint32_t half = leaves_ / 2; half > 0; half /= 2) {
            const bool right = (trees_[set] >> node & 1U) != 0 && first + half < ways_;
            node = 2 * node + (right ? 1 : 0);
            if (right) first += half;
        }
        return first;
    }

    void serialize(engine::Archive& archive) { archive(trees_); }

  private:
    std::vector<std::uint64_t> trees_;  // [set]: bit of node n (root 1, children 2n and 2n + 1): points to the right
    std::uint32_t ways_, leaves_;
};

}  // namespace models
