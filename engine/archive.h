// Archive: the state of an object as bytes. One function of the object serves for writing and for reading:
//
//     void serialize(engine::Archive& archive) override { archive(credits_, queue_, state_); }
//
// Takes numbers, enumerations, plain structures without padding or pointers, objects with such a function, and
// std::string, array, pair, vector, deque, optional and map of those. Bytes are those of this machine (little-endian).
// Reading what was not written so is an InputError.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/error.h"

namespace engine {

// An object has no such function.
struct CannotBeSaved : ConfigError {
    using ConfigError::ConfigError;
};

class Archive {
  public:
    explicit Archive(std::vector<std::byte>* to) : to_(to) {}           // writes
    explicit Archive(std::span<const std::byte> from) : from_(from) {}  // reads

    bool is_reading() const { return to_ == nullptr; }
    std::size_t position() const { return to_ != nullptr ? to_->size() : position_; }  // bytes
    bool is_at_end() const { return position_ == from_.size(); }                       // when reading

    template <class... T>
    void operator()(T&... values) {
        (value(values), ...);
    }
    void bytes(std::span<std::byte> bytes) {
        if (to_ != nullptr) {
            to_->insert(to_->end(), bytes.begin(), bytes.end());
            return;
        }
        if (from_.size() - position_ < bytes.size())
            throw InputError("byte " + std::to_string(position_) + ": expected " + std::to_string(bytes.size()) +
                             " bytes more, found " + std::to_string(from_.size() - position_));
        if (!bytes.empty()) std::memcpy(bytes.data(), from_.data() + position_, bytes.size());
        position_ += bytes.size();
    }

  private:
    template <class T>
    static constexpr bool is_plain = std::is_trivially_copyable_v<T> && !std::is_pointer_v<T> &&
                                     (std::has_unique_object_representations_v<T> || std::is_floating_point_v<T>);

    template <class T>
    void value(T& value) {
        if constexpr (requires { value.serialize(*this); })
            value.serialize(*this);
        else if constexpr (std::same_as<T, bool>)
            flag(value);
        else {
            static_assert(is_plain<T>, "no padding, no pointers; else give it a function serialize(Archive&)");
            bytes(std::as_writable_bytes(std::span(&value, 1)));
        }
    }
    void flag(bool& flag) {
        std::uint8_t byte = flag ? 1 : 0;
        value(byte);
        flag = byte != 0;
    }
    // A count that was read is not believed before there are so many bytes.
    std::size_t count(std::size_t is) {
        std::uint64_t count = is;
        value(count);
        if (is_reading() && count > from_.size() - position_)
            throw InputError("byte " + std::to_string(position_) + ": expected a count of what is left, found " +
                             std::to_string(count));
        return count;
    }
    template <class Sequence>
    void sequence(Sequence& items) {
        items.resize(count(items.size()));
        for (auto& item : items) value(item);
    }
    void value(std::string& text) { sequence(text); }
    template <class T>
    void value(std::vector<T>& items) {
        sequence(items);
    }
    void value(std::vector<bool>& items) {
        items.resize(count(items.size()));
        for (std::size_t i = 0; i < items.size(); ++i) {
            bool item = items[i];
            flag(item);
            items[i] = item;
        }
    }
    template <class T>
    void value(std::deque<T>& items) {
        sequence(items);
    }
    template <class T, std::size_t n>
    void value(std::array<T, n>& items) {
        for (T& item : items) value(item);
    }
    template <class A, class B>
    void value(std::pair<A, B>& pair) {
        value(pair.first);
        value(pair.second);
    }
    template <class T>
    void value(std::optional<T>& optional) {
        bool is = optional.has_value();
        flag(is);
        if (is_reading()) is ? static_cast<void>(optional.emplace()) : optional.reset();
        if (is) value(*optional);
    }
    template <class K, class V>
    void value(std::map<K, V>& map) {
        const std::size_t size = count(map.size());
        if (!is_reading()) {
            for (auto& [key, item] : map) {
                K copy = key;
                value(copy);
                value(item);
            }
            return;
        }
        map.clear();
        for (std::size_t i = 0; i < size; ++i) {
            K key;
            value(key);
            value(map[key]);
        }
    }

    std::vector<std::byte>* to_ = nullptr;
    std::span<const std::byte> from_;
    std::size_t position_ = 0;
};

}  // namespace engine
