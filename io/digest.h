// XXH3-128 digests of canonical bytes: integers as little-endian, texts with their length in front. Equal content has
// equal digests wherever and however it was computed.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace io {

class Digest {
  public:
    Digest();
    Digest(const Digest&) = delete;
    Digest& operator=(const Digest&) = delete;
    ~Digest();

    void add(std::string_view text);
    template <class T>
    requires std::is_integral_v<T>
    void add(T value) {
        add_bytes(&value, sizeof value);
    }
    template <class T>
    requires std::is_integral_v<T>
    void add(std::span<const T> values) {
        add(static_cast<std::uint64_t>(values.size()));
        add_bytes(values.data(), values.size_bytes());
    }
    void add_bytes(const void* data, std::size_t size);

    std::string hex() const;  // 32 hexadecimal digits

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace io
