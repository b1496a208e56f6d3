// Replacement policies written the slow way, as oracles: a set is a list or a tree of nodes, every step is searched
// for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <list>
#include <memory>
#include <string_view>
#include <vector>

#include "engine/counter_rng.h"

namespace slow {

// Of one cache; told of what happens in a set, and asked for the way that goes when all are in use.
class Policy {
  public:
    virtual ~Policy() = default;
    virtual void hit(std::uint32_t set, std::uint32_t way) = 0;
    virtual void fill(std::uint32_t set, std::uint32_t way) { hit(set, way); }
    virtual std::uint32_t victim(std::uint32_t set) = 0;
};

// A list of ways, the one accessed last in front.
class LeastRecentlyUsed : public Policy {
  public:
    LeastRecentlyUsed(std::uint32_t sets, std::uint32_t ways) : sets_(sets) {
        for (auto& set : sets_)
            for (std::uint32_t way = 0; way < ways; ++way) set.push_back(way);
    }
    void hit(std::uint32_t set, std::uint32_t way) override {
        sets_[set].remove(way);
        sets_[set].push_front(way);
    }
    std::uint32_t victim(std::uint32_t set) override { return sets_[set].back(); }

  private:
    std::vector<std::list<std::uint32_t>> sets_;
};

// A tree of nodes that know the half that was accessed last.
class PseudoLeastRecentlyUsed : public Policy {
  public:
    PseudoLeastRecentlyUsed(std::uint32_t sets, std::uint32_t ways) : ways_(ways) {
        std::uint32_t leaves = 1;
        while (leaves < ways) leaves *= 2;
        for (std::uint32_t set = 0; set < sets; ++set) roots_.push_back(std::make_unique<Node>(0, leaves));
    }
    void hit(std::uint32_t set, std::uint32_t way) override {
        for (Node* node = roots_[set].get(); node->count > 1;) {
            const bool right = way >= node->right->first;
            node->victim_is_right = !right;
            node = right ? node->right.get() : node->left.get();
        }
    }
    std::uint32_t victim(std::uint32_t set) override {
        Node* node = roots_[set].get();
        while (node->count > 1) {
            const bool right = node->victim_is_right && node->right->first < ways_;
            node = right ? node->right.get() : node->left.get();
        }
        return node->first;
    }

  private:
    struct Node {
        Node(std::uint32_t from, std::uint32_t ways) : first(from), count(ways) {
            if (ways == 1) return;
            left = std::make_unique<Node>(from, ways / 2);
            right = std::make_unique<Node>(from + ways / 2, ways / 2);
        }
        std::uint32_t first, count;
        bool victim_is_right = false;
        std::unique_ptr<Node> left, right;
    };
    std::uint32_t ways_;
    std::vector<std::unique_ptr<Node>> roots_;
};

class NotRecentlyUsed : public Policy {
  public:
    NotRecentlyUsed(std::uint32_t sets, std::uint32_t ways) : used_(sets, std::vector<bool>(ways, false)) {}
    void hit(std::uint32_t set, std::uint32_t way) override {
        std::vector<bool>& used = used_[set];
        used[way] = true;
        if (std::count(used.begin(), used.end(), true) < static_cast<std::ptrdiff_t>(used.size())) return;
        used.assign(used.size(), false);
        used[way] = true;
    }
    std::uint32_t victim(std::uint32_t set) override {
        const auto first = std::find(used_[set].begin(), used_[set].end(), false);
        return first == used_[set].end() ? 0 : static_cast<std::uint32_t>(first - used_[set].begin());
    }

  private:
    std::vector<std::vector<bool>> used_;
};

class Random : public Policy {
  public:
    Random(std::uint32_t /*sets*/, std::uint32_t ways) : ways_(ways) {}
    void hit(std::uint32_t /*set*/, std::uint32_t /*way*/) override {}
    std::uint32_t victim(std::uint32_t set) override { return engine::CounterRng(count_++, set).below(ways_); }

  private:
    std::uint32_t ways_;
    std::uint64_t count_ = 0;
};

class ReReferencePrediction : public Policy {
  public:
    ReReferencePrediction(std::uint32_t sets, std::uint32_t ways) : distance_(sets, std::vector<int>(ways, 3)) {}
    void hit(std::uint32_t set, std::uint32_t way) override { distance_[set][way] = 0; }
    void fill(std::uint32_t set, std::uint32_t way) override { distance_[set][way] = 2; }
    std::uint32_t victim(std::uint32_t set) override {
        std::vector<int>& distance = distance_[set];
        const auto farthest = std::max_element(distance.begin(), distance.end());
        const int growth = 3 - *farthest;
        const auto way = static_cast<std::uint32_t>(farthest - distance.begin());
        for (int& each : distance) each += growth;
        return way;
    }

  private:
    std::vector<std::vector<int>> distance_;
};

// The oracle of the member of models::Replacement with this name.
inline std::unique_ptr<Policy> policy(std::string_view name, std::uint32_t sets, std::uint32_t ways) {
    if (name == "lru") return std::make_unique<LeastRecentlyUsed>(sets, ways);
    if (name == "pseudo_lru") return std::make_unique<PseudoLeastRecentlyUsed>(sets, ways);
    if (name == "nru") return std::make_unique<NotRecentlyUsed>(sets, ways);
    if (name == "random") return std::make_unique<Random>(sets, ways);
    if (name == "srrip") return std::make_unique<ReReferencePrediction>(sets, ways);
    return nullptr;
}

}  // namespace slow
