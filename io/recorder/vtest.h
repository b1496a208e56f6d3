// The vtest socket protocol between Mesa's virpipe driver and virgl_test_server, version 0 (everything travels inline).
// Framing only; facts from Mesa's vtest_protocol.h and virglrenderer's behaviour, no code of either.
//
// A message: u32 length, u32 command, payload; little-endian. The length counts dwords, except CREATE_RENDERER's, which
// counts bytes; TRANSFER_PUT's is rounded up while exactly `data size` bytes follow its 11 dwords.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "models/functional/vtest/vtest_command.h"

namespace io {

using models::functional::VtestCommand;

inline std::string vtest_name(VtestCommand command) {
    return std::string(models::functional::name(command));
}

using Bytes = std::vector<std::byte>;

std::uint32_t word(std::span<const std::byte> message, std::size_t index);  // dword `index`, the header being 0 and 1
void set_word(std::span<std::byte> message, std::size_t index, std::uint32_t value);

inline VtestCommand command_of(std::span<const std::byte> message) {
    return static_cast<VtestCommand>(word(message, 1));
}

// Positions of dwords in whole messages.
namespace field {
inline constexpr std::size_t version = 2;              // PROTOCOL_VERSION
inline constexpr std::size_t handle = 2;               // RESOURCE_*, TRANSFER_*
inline constexpr std::size_t busy_wait_flags = 3;      // RESOURCE_BUSY_WAIT: 1 waits, 0 only asks
inline constexpr std::size_t create_bind = 5;          // RESOURCE_CREATE
inline constexpr std::size_t create_width = 6;         // RESOURCE_CREATE
inline constexpr std::size_t create_height = 7;        // RESOURCE_CREATE
inline constexpr std::size_t transfer_x = 6;           // TRANSFER_*
inline constexpr std::size_t transfer_y = 7;           // TRANSFER_*
inline constexpr std::size_t transfer_width = 9;       // TRANSFER_*
inline constexpr std::size_t transfer_height = 10;     // TRANSFER_*
inline constexpr std::size_t transfer_data_size = 12;  // TRANSFER_*
}  // namespace field

// Receives the next whole message of the application into `message`. False if the application hung up instead. Throws
// engine::InputError for a command or a length outside the protocol.
bool receive_message(int socket, Bytes& message);

// Receives the renderer's answer to `message` into `reply`: 0 bytes if that command has none. Throws engine::IoError if
// the renderer hung up.
void receive_reply(int socket, std::span<const std::byte> message, Bytes& reply);

// False if the peer hung up. Throws engine::IoError if sending fails otherwise.
bool send_all(int socket, std::span<const std::byte> bytes);

}  // namespace io
