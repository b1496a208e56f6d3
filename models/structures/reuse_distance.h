// Reuse distances (LRU stack distances): of every access to a line, how many other lines have been accessed since the
// last one to it. A fully associative LRU cache of n lines hits exactly the accesses of distance below n. Plain data:
// no time.
//
// Accesses are numbered; a Fenwick tree counts the lines whose latest access is the one with a number, so a distance is
// a difference of two sums: O(log n) an access. When the numbers run out, lines are numbered anew in their order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "engine/archive.h"
#include "models/structures/cache_array.h"

namespace models {

class ReuseDistance {
  public:
    static constexpr std::uint32_t never = 0xffffffff;  // the line has not been accessed before

    // Of this access.
    std::uint32_t access(LineNumber line) {
        if (next_ == tree_.size()) renumber();
        const auto [at, is_new] = latest_.try_emplace(line, next_);
        std::uint32_t distance = never;
        if (!is_new) {
            distance = static_cast<std::uint32_t>(latest_.size()) - sum(at->second);
            add(at->second, -1);
            at->second = next_;
        }
        add(next_, 1);
        ++next_;
        return distance;
    }
    std::uint32_t lines() const { return static_cast<std::uint32_t>(latest_.size()); }

    void serialize(engine::Archive& archive) {
        std::vector<std::pair<std::uint32_t, LineNumber>> order = in_order();
        std::vector<LineNumber> lines;
        for (const auto& [number, line] : order) lines.push_back(line);
        archive(lines);
        *this = ReuseDistance();
        for (const LineNumber line : lines) access(line);
    }

  private:
    // Lines whose latest access has this number or a smaller one.
    std::uint32_t sum(std::uint32_t number) const {
        std::uint32_t total = 0;
        for (std::uint32_t i = number; i > 0; i -= i & (0U - i)) total += tree_[i];
        return total;
    }
    void add(std::uint32_t number, std::int32_t count) {
        for (std::uint32_t i = number; i < tree_.size(); i += i & (0U - i))
            tree_[i] += static_cast<std::uint32_t>(count);
    }
    std::vector<std::pair<std::uint32_t, LineNumber>> in_order() const {
        std::vector<std::pair<std::uint32_t, LineNumber>> order;
        for (const auto& [line, number] : latest_) order.emplace_back(number, line);
        std::sort(order.begin(), order.end());
        return order;
    }
    void renumber() {
        const auto order = in_order();
        tree_.assign(std::max<std::size_t>(1024, 4 * order.size() + 1), 0);
        next_ = 1;
        for (const auto& [number, line] : order) {
            latest_[line] = next_;
            add(next_++, 1);
        }
    }

    std::unordered_map<LineNumber, std::uint32_t> latest_;  // number of the latest access; in_order() sorts
    std::vector<std::uint32_t> tree_;                       // [number], from 1 on
    std::uint32_t next_ = 0;
};

}  // namespace models
