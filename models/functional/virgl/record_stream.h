// The recording format: the four bytes "VTR0", then records of <u8 kind><u32 little-endian length><payload>. Works on
// the whole decompressed stream; decompression and files are io's. Unknown kinds are skipped.
//
// Every length is checked against the bytes that are there: damaged input ends in an engine::InputError that names the
// byte offset in the decompressed stream, never in a read outside it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "engine/error.h"

namespace models::functional {

using Bytes = std::span<const std::byte>;

// Ends the run with an engine::InputError: "byte OFFSET: TEXT".
[[noreturn]] void refuse(std::uint64_t offset, const std::string& text);

// Runs `work` and adds to its InputErrors, unless they have one, where in the stream and in which message they arose.
template <class Work>
decltype(auto) locate(std::uint64_t offset, std::string_view what, const Work& work) {
    try {
        return work();
    } catch (const engine::InputError& error) {
        if (std::string_view(error.what()).starts_with("byte ")) throw;
        refuse(offset, std::string(what) + ": " + error.what());
    }
}

// Little-endian dwords of a message or command, every access checked.
class Words {
  public:
    Words() = default;
    // `what` names the message in errors and must outlive this.
    Words(Bytes bytes, std::uint64_t offset, std::string_view what) : bytes_(bytes), offset_(offset), what_(what) {}

    std::uint32_t count() const { return static_cast<std::uint32_t>(bytes_.size() / 4); }
    std::uint64_t offset() const { return offset_; }  // of word 0 in the stream
    std::string_view what() const { return what_; }

    std::uint32_t operator[](std::uint32_t index) const;
    float real(std::uint32_t index) const;
    double real64(std::uint32_t index) const;  // two words, the low one first
    Bytes bytes_from(std::uint32_t index) const;

    void need(std::uint32_t count) const;                     // refuses when there are fewer words
    [[noreturn]] void refuse(const std::string& text) const;  // "byte OFFSET: WHAT: TEXT"

  private:
    Bytes bytes_;
    std::uint64_t offset_ = 0;
    std::string_view what_;
};

enum class RecordKind : std::uint8_t { client_message = 0, server_reply = 1 };

struct Record {
    RecordKind kind = RecordKind::client_message;
    std::uint64_t offset = 0;  // of the payload
    Bytes payload;
};

class RecordStream {
  public:
    explicit RecordStream(Bytes stream);  // checks the magic

    // The next record of a known kind; false at the end of the stream.
    bool next(Record& record);

  private:
    Bytes stream_;
    std::uint64_t position_ = 4;
};

}  // namespace models::functional
