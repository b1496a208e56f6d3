// Messages: what one logical process may say to another.
//
// A message is a plain value of at most 40 bytes, without padding. It holds no pointer (the compiler cannot check
// that), so its bytes mean the same on another thread, on another rank and in a checkpoint.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "engine/units.h"

namespace engine {

inline constexpr std::size_t message_capacity = 40;  // bytes

template <class M>
concept Message = std::is_trivially_copyable_v<M> && std::copy_constructible<M> && std::default_initializable<M> &&
                  sizeof(M) <= message_capacity && alignof(M) <= alignof(std::int64_t) &&
                  (std::has_unique_object_representations_v<M> || std::is_empty_v<M>);

// Bytes that mean something: the one byte of an empty class does not.
template <Message M>
inline constexpr std::size_t payload_size = std::is_empty_v<M> ? 0 : sizeof(M);

// A message under way, by value, in one cache line.
struct alignas(64) Envelope {
    Time time;              // when it arrives
    std::uint64_t order;    // among the messages that its receiver gets at that time; see below
    std::int32_t receiver;  // the process's number in the order of Simulation::add()
    std::uint32_t next;     // while it waits: the place of the next one of a list
    std::byte payload[message_capacity];
};
static_assert(sizeof(Envelope) == 64);

// What orders messages that arrive at one process at one time: the input port, as declared; in a bundle the sender;
// then the position in the channel. Packed into a number that is compared as such.
namespace order {
inline constexpr int sender_bits = 20, position_bits = 32, port_shift = sender_bits + position_bits;
inline constexpr int most_ports = 1 << (64 - port_shift);
inline constexpr int most_senders = 1 << sender_bits;

// Of a channel, and of its messages.
constexpr std::uint32_t key(int input_port, std::uint32_t sender) {
    return static_cast<std::uint32_t>(input_port) << static_cast<unsigned>(sender_bits) | sender;
}
constexpr std::uint64_t at(std::uint32_t key, std::uint32_t position) {
    return static_cast<std::uint64_t>(key) << position_bits | position;
}
constexpr int input_port(std::uint64_t order) {
    return static_cast<int>(order >> port_shift);
}
// In a channel by itself the position has the bits of the sender, too.
constexpr std::uint64_t position(std::uint64_t order, bool in_bundle) {
    return order & ((std::uint64_t{1} << (in_bundle ? position_bits : port_shift)) - 1);
}
constexpr int sender(std::uint64_t order) {
    return static_cast<int>(order >> position_bits) & (most_senders - 1);
}
}  // namespace order

}  // namespace engine
