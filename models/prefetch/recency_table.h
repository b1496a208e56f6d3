// A small fully associative table, of which the entry that has not been used for longest goes when another one comes.
// A lookup is a scan over the keys, as tables of prefetchers have tens of entries. Plain data.
#pragma once

#include <cassert>
#include <cstdint>
#include <vector>

#include "engine/archive.h"

namespace models {

template <class Key, class Value>
class RecencyTable {
  public:
    explicit RecencyTable(std::size_t entries) : keys_(entries), values_(entries), used_(entries, 0) {
        assert(entries > 0);
    }

    // The entry, which is the last one used now; or null.
    Value* use(const Key& key) {
        const std::size_t place = place_of(key);
        if (place == keys_.size()) return nullptr;
        used_[place] = ++uses_;
        return &values_[place];
    }
    // The same without a trace of it.
    const Value* find(const Key& key) const {
        const std::size_t place = place_of(key);
        return place == keys_.size() ? nullptr : &values_[place];
    }
    // Of a key that is not there.
    void insert(const Key& key, const Value& value) {
        std::size_t place = 0;
        for (std::size_t i = 1; i < used_.size(); ++i)
            if (used_[i] < used_[place]) place = i;
        keys_[place] = key;
        values_[place] = value;
        used_[place] = ++uses_;
    }
    template <class Predicate>
    std::uint32_t count_if(Predicate&& predicate) const {
        std::uint32_t count = 0;
        for (std::size_t i = 0; i < keys_.size(); ++i)
            count += used_[i] != 0 && predicate(keys_[i], values_[i]) ? 1 : 0;
        return count;
    }
    template <class Predicate>
    void remove_if(Predicate&& predicate) {
        for (std::size_t i = 0; i < keys_.size(); ++i)
            if (used_[i] != 0 && predicate(keys_[i], values_[i])) used_[i] = 0;
    }

    void serialize(engine::Archive& archive) { archive(keys_, values_, used_, uses_); }

  private:
    std::size_t place_of(const Key& key) const {
        for (std::size_t i = 0; i < keys_.size(); ++i)
            if (used_[i] != 0 && keys_[i] == key) return i;
        return keys_.size();
    }

    std::vector<Key> keys_;
    std::vector<Value> values_;
    std::vector<std::uint64_t> used_;  // the number of its last use; 0: free
    std::uint64_t uses_ = 0;
};

}  // namespace models
