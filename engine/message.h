// Messages: what one logical process may say to another.
//
// A message is a plain value of at most 48 bytes. It holds no pointer (the compiler cannot check that), so its bytes
// mean the same on another thread, on another rank and in a checkpoint.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "engine/units.h"

namespace engine {

inline constexpr std::size_t message_capacity = 48;  // bytes

template <class M>
concept Message = std::is_trivially_copyable_v<M> && std::default_initializable<M> && sizeof(M) <= message_capacity &&
                  alignof(M) <= alignof(std::max_align_t);

// A message under way, by value, in one cache line.
struct alignas(64) Slot {
    Time time;            // when it arrives
    std::uint64_t order;  // input port of the receiver (16 bits, as declared), then position in the channel (48 bits)
    alignas(16) std::byte payload[message_capacity];

    template <Message M>
    M get() const {
        M message;
        std::memcpy(&message, payload, sizeof(M));
        return message;
    }
};
static_assert(sizeof(Slot) == 64);

inline constexpr int position_bits = 48;
inline constexpr int input_port(std::uint64_t order) {
    return static_cast<int>(order >> position_bits);
}
inline constexpr std::uint64_t first_order(int input_port) {
    return static_cast<std::uint64_t>(input_port) << position_bits;
}

// A message on its way between two workers. Packed closer than a slot: lanes and MPI carry it as bytes.
struct Envelope {
    Time time;
    std::uint64_t order;
    std::byte payload[message_capacity];
    std::int32_t receiver;  // the process's number in the order of Simulation::add()
};

}  // namespace engine
