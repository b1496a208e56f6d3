#include "io/recorder/vtest.h"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <string>
#include <system_error>

#include <sys/socket.h>

#include "engine/error.h"

namespace io {
namespace {

constexpr std::size_t header_size = 8;
constexpr std::size_t transfer_size = 11 * 4;          // payload of TRANSFER_GET and TRANSFER_PUT before the data
constexpr std::size_t longest = std::size_t{1} << 30;  // bytes; far above any message, far below a damaged length
constexpr std::size_t step = std::size_t{1} << 20;     // memory grows with what arrives, not with what is announced

// Appends up to `size` bytes; returns how many came before the peer hung up.
std::size_t receive_some(int socket, Bytes& bytes, std::size_t size) {
    std::size_t done = 0;
    while (done < size) {
        const std::size_t start = bytes.size();
        const std::size_t wanted = std::min(size - done, step);
        bytes.resize(start + wanted);
        ssize_t count = 0;
        do {
            count = ::recv(socket, bytes.data() + start, wanted, MSG_WAITALL);
        } while (count < 0 && errno == EINTR);
        bytes.resize(start + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
        if (count <= 0) break;
        done += static_cast<std::size_t>(count);
    }
    return done;
}

[[noreturn]] void fail_on_message(std::span<const std::byte> header, const std::string& what) {
    throw engine::InputError("the application's vtest message " + vtest_name(command_of(header)) + " (" +
                             std::to_string(word(header, 1)) + ", length " + std::to_string(word(header, 0)) +
                             "): " + what);
}

bool receive_rest(int socket, Bytes& message, std::size_t size) {
    if (size > longest) fail_on_message(message, "longer than any message of this protocol");
    return receive_some(socket, message, size) == size;
}

void receive_from_renderer(int socket, Bytes& reply, std::size_t size, VtestCommand command) {
    if (receive_some(socket, reply, size) < size)
        throw engine::IoError("virgl_test_server hung up instead of answering " + vtest_name(command));
}

}  // namespace

std::uint32_t word(std::span<const std::byte> message, std::size_t index) {
    assert(message.size() >= 4 * index + 4);
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value |= std::to_integer<std::uint32_t>(message[4 * index + i]) << (8 * i);
    return value;
}

void set_word(std::span<std::byte> message, std::size_t index, std::uint32_t value) {
    assert(message.size() >= 4 * index + 4);
    for (std::size_t i = 0; i < 4; ++i) message[4 * index + i] = static_cast<std::byte>(value >> (8 * i));
}

bool receive_message(int socket, Bytes& message) {
    message.clear();
    if (receive_some(socket, message, header_size) < header_size) return false;
    const std::size_t length = word(message, 0);
    const auto exactly = [&](std::size_t dwords) {
        if (length != dwords) fail_on_message(message, "expected length " + std::to_string(dwords));
        return receive_rest(socket, message, 4 * dwords);
    };
    switch (command_of(message)) {
        case VtestCommand::get_caps:
        case VtestCommand::get_caps2:
        case VtestCommand::ping_protocol_version:
            return exactly(0);
        case VtestCommand::resource_unref:
        case VtestCommand::protocol_version:
            return exactly(1);
        case VtestCommand::resource_busy_wait:
            return exactly(2);
        case VtestCommand::resource_create:
            return exactly(10);
        case VtestCommand::transfer_get:
            return exactly(11);
        case VtestCommand::create_renderer:
            return receive_rest(socket, message, length);
        case VtestCommand::submit_cmd:
            return receive_rest(socket, message, 4 * length);
        case VtestCommand::transfer_put: {
            if (!receive_rest(socket, message, transfer_size)) return false;
            const std::size_t size = word(message, field::transfer_data_size);
            if (length != 11 + (size + 3) / 4) fail_on_message(message, "does not match its data size");
            return receive_rest(socket, message, size);
        }
    }
    fail_on_message(message, "not part of vtest protocol 0; is this a newer Mesa?");
}

void receive_reply(int socket, std::span<const std::byte> message, Bytes& reply) {
    reply.clear();
    const VtestCommand command = command_of(message);
    switch (command) {
        case VtestCommand::ping_protocol_version:
            receive_from_renderer(socket, reply, 8, command);
            break;
        case VtestCommand::protocol_version:
        case VtestCommand::resource_busy_wait:
            receive_from_renderer(socket, reply, 12, command);
            break;
        case VtestCommand::get_caps:
        case VtestCommand::get_caps2: {
            receive_from_renderer(socket, reply, header_size, command);
            const std::size_t size = word(reply, 0);  // bytes, plus one
            if (size == 0 || size > step) throw engine::IoError("virgl_test_server sent damaged capabilities");
            receive_from_renderer(socket, reply, size - 1, command);
            break;
        }
        case VtestCommand::transfer_get:
            receive_from_renderer(socket, reply, word(message, field::transfer_data_size), command);
            break;
        default:
            break;
    }
}

bool send_all(int socket, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t count = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (count < 0) {
            if (errno == EINTR) continue;
            if (errno == EPIPE || errno == ECONNRESET) return false;
            throw engine::IoError("cannot send over a vtest socket: " + std::generic_category().message(errno));
        }
        bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
    return true;
}

}  // namespace io
