// A hash of 64 bits (XXH3) over what is added, in this order; the same on every machine of little-endian integers.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace models::functional {

class ContentHash {
  public:
    void add_bytes(std::span<const std::byte> bytes);

    // Integers, enumerations and structures of them without padding; floats by their bits.
    template <class T>
    void add(const T& value) {
        if constexpr (std::is_same_v<T, float>) {
            add(std::bit_cast<std::uint32_t>(value));
        } else {
            static_assert(std::has_unique_object_representations_v<T>);
            add_bytes(std::as_bytes(std::span(&value, 1)));
        }
    }

    std::uint64_t value() const { return value_; }

  private:
    std::uint64_t value_ = 0;
};

}  // namespace models::functional
