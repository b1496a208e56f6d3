// Writes recordings by hand: vtest messages and virgl commands, as few words as a test needs.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "models/functional/virgl/protocol.h"

namespace models::functional {

using WordList = std::vector<std::uint32_t>;

inline std::uint32_t word(float value) {
    return std::bit_cast<std::uint32_t>(value);
}

inline std::vector<std::byte> bytes_of(const WordList& words) {
    std::vector<std::byte> bytes(words.size() * 4);
    if (!words.empty()) std::memcpy(bytes.data(), words.data(), bytes.size());
    return bytes;
}

// The commands of one submission.
class Commands {
  public:
    Commands& add(VirglCommand command, const WordList& operands, ObjectType object = ObjectType::null) {
        words_.push_back(static_cast<std::uint32_t>(command) | static_cast<std::uint32_t>(object) << 8 |
                         static_cast<std::uint32_t>(operands.size()) << 16);
        words_.insert(words_.end(), operands.begin(), operands.end());
        return *this;
    }
    Commands& create(ObjectType type, const WordList& operands) {
        return add(VirglCommand::create_object, operands, type);
    }
    Commands& bind(ObjectType type, std::uint32_t handle) { return add(VirglCommand::bind_object, {handle}, type); }

    // stage: 0 vertex, 1 fragment.
    Commands& shader(std::uint32_t handle, std::uint32_t stage, std::string_view text) {
        const auto size = static_cast<std::uint32_t>(text.size() + 1);
        WordList operands{handle, stage, size, 100, 0};
        operands.resize(5 + (size + 3) / 4);
        std::memcpy(operands.data() + 5, text.data(), text.size());
        return create(ObjectType::shader, operands).add(VirglCommand::bind_shader, {handle, stage});
    }

    const WordList& words() const { return words_; }

  private:
    WordList words_;
};

class StreamWriter {
  public:
    StreamWriter() {
        for (const char c : std::string_view("VTR0")) stream_.push_back(static_cast<std::byte>(c));
    }

    StreamWriter& record(std::uint8_t kind, const std::vector<std::byte>& payload) {
        stream_.push_back(std::byte{kind});
        append(static_cast<std::uint32_t>(payload.size()));
        stream_.insert(stream_.end(), payload.begin(), payload.end());
        return *this;
    }
    StreamWriter& message(VtestCommand command, const WordList& words) {
        WordList all{static_cast<std::uint32_t>(words.size()), static_cast<std::uint32_t>(command)};
        all.insert(all.end(), words.begin(), words.end());
        return record(0, bytes_of(all));
    }
    // A texture, or a buffer (target 0, format 64) of `width` bytes.
    StreamWriter& resource(std::uint32_t handle, std::uint32_t target, std::uint32_t format, std::uint32_t bind,
                           std::uint32_t width, std::uint32_t height, std::uint32_t last_level = 0) {
        return message(VtestCommand::resource_create,
                       {handle, target, format, bind, width, height, 1, 1, last_level, 0});
    }
    // Whole rows of texels, tightly packed, or the bytes of a buffer.
    StreamWriter& put(std::uint32_t handle, std::uint32_t level, std::uint32_t width, std::uint32_t height,
                      const WordList& data) {
        WordList words{handle, level, 0, 0, 0, 0, 0, width, height, 1, static_cast<std::uint32_t>(data.size() * 4)};
        words.insert(words.end(), data.begin(), data.end());
        return message(VtestCommand::transfer_put, words);
    }
    StreamWriter& submit(const Commands& commands) { return message(VtestCommand::submit_cmd, commands.words()); }

    // The window is read back whole, with `reply` as its reference image, and waited for.
    StreamWriter& end_frame(std::uint32_t window, std::uint32_t width, std::uint32_t height, const WordList& reply) {
        message(VtestCommand::transfer_get, {window, 0, width * 4, 0, 0, 0, 0, width, height, 1, width * height * 4});
        record(1, bytes_of(reply));
        return message(VtestCommand::resource_busy_wait, {window, 1});
    }

    Bytes bytes() const { return stream_; }
    const std::vector<std::byte>& stream() const { return stream_; }

  private:
    void append(std::uint32_t value) {
        for (int i = 0; i < 4; ++i) stream_.push_back(static_cast<std::byte>(value >> (8 * i) & 0xff));
    }

    std::vector<std::byte> stream_;
};

// What `work` throws, as text; "nothing was thrown" otherwise.
template <class Work>
std::string error_of(const Work& work) {
    try {
        work();
    } catch (const engine::InputError& error) {
        return error.what();
    }
    return "nothing was thrown";
}

}  // namespace models::functional
