// Messages of an application, a pair of connected sockets, and a renderer that answers as the real one does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include <sys/socket.h>

#include "io/recorder/vtest.h"
#include "io/recording/file.h"

namespace vtest_messages {

using io::Bytes;
using io::VtestCommand;

struct Wire {
    Wire() {
        int ends[2] = {-1, -1};
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) throw std::runtime_error("no sockets");
        near = io::Descriptor{ends[0]};
        far = io::Descriptor{ends[1]};
    }
    io::Descriptor near;
    io::Descriptor far;
};

inline Bytes message(std::uint32_t command, std::uint32_t length, std::initializer_list<std::uint32_t> words) {
    Bytes bytes(8 + 4 * words.size());
    io::set_word(bytes, 0, length);
    io::set_word(bytes, 1, command);
    std::size_t index = 2;
    for (const std::uint32_t value : words) io::set_word(bytes, index++, value);
    return bytes;
}

inline Bytes message(VtestCommand command, std::initializer_list<std::uint32_t> words) {
    return message(static_cast<std::uint32_t>(command), static_cast<std::uint32_t>(words.size()), words);
}

constexpr std::uint32_t display_target = 0x80;

inline Bytes create(std::uint32_t handle, std::uint32_t bind, std::uint32_t width, std::uint32_t height) {
    return message(VtestCommand::resource_create, {handle, 2, 1, bind, width, height, 1, 1, 0, 0});
}

inline Bytes get(std::uint32_t handle, std::uint32_t width, std::uint32_t height) {
    return message(VtestCommand::transfer_get,
                   {handle, 0, 4 * width, 0, 0, 0, 0, width, height, 1, 4 * width * height});
}

inline Bytes busy_wait(std::uint32_t handle, std::uint32_t flags) {
    return message(VtestCommand::resource_busy_wait, {handle, flags});
}

inline Bytes receive(const io::Descriptor& socket, std::size_t size) {
    Bytes bytes(size);
    const ssize_t count = ::recv(socket.number(), bytes.data(), size, MSG_WAITALL);
    bytes.resize(count < 0 ? 0 : static_cast<std::size_t>(count));
    return bytes;
}

// Answers until the application's side hangs up. The pixels of the n-th TRANSFER_GET are all n.
class FakeRenderer {
  public:
    FakeRenderer() : thread_([this] { serve(); }) {}
    FakeRenderer(const FakeRenderer&) = delete;
    FakeRenderer& operator=(const FakeRenderer&) = delete;
    ~FakeRenderer() { finish(); }

    int socket() const { return wire_.far.number(); }
    const std::vector<Bytes>& finish() {  // everything it was sent
        ::shutdown(wire_.far.number(), SHUT_RDWR);
        if (thread_.joinable()) thread_.join();
        return seen_;
    }

  private:
    Bytes answer_to(const Bytes& request) {
        switch (io::command_of(request)) {
            case VtestCommand::ping_protocol_version:
                return message(VtestCommand::ping_protocol_version, {});
            case VtestCommand::protocol_version:
                return message(VtestCommand::protocol_version, {0});
            case VtestCommand::resource_busy_wait:
                return message(VtestCommand::resource_busy_wait, {0});
            case VtestCommand::get_caps2: {
                Bytes caps(8 + 1376, std::byte{0xff});
                io::set_word(caps, 0, 1377);
                io::set_word(caps, 1, 2);
                io::set_word(caps, 2 + 264 / 4, 450);
                return caps;
            }
            case VtestCommand::transfer_get:
                return Bytes(io::word(request, io::field::transfer_data_size), static_cast<std::byte>(++pictures_));
            default:
                return {};
        }
    }
    void serve() {
        for (Bytes request; io::receive_message(wire_.near.number(), request);) {
            seen_.push_back(request);
            io::send_all(wire_.near.number(), answer_to(request));
        }
    }

    Wire wire_;
    std::vector<Bytes> seen_;
    int pictures_ = 0;
    std::thread thread_;
};

}  // namespace vtest_messages
