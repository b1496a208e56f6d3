// A recording: what an application said to the renderer over Mesa's vtest socket, and what the renderer answered.
//
// `.vtr`: the 4 bytes "VTR0", then records <u8 kind><u32 little-endian length><payload>. kind 0: one message of the
// application (8-byte vtest header and payload). kind 1: the renderer's answer to the message before (after a
// TRANSFER_GET: pixels, top row first). kind 2: what produced the recording (origin.h). kind 3: a checksum, 16 bytes,
// the XXH3-128 (big-endian) of all bytes from the end of the checksum before, or from byte 0, to this record. kind 4,
// empty: a picture ended here that was left out; what was drawn for it is not the work of the frame it stands in. kind
// 5, empty: here ends what a cut (io/cut/cut.h) put before its first frame to bring the state that the frame begins
// with: not the frame's work either. Other kinds are for later. Readers may skip all kinds but 0, 1, 4 and 5;
// recordings without kinds 2 and 3 are as good, and so are cuts without kind 5, but that their first frames seem to
// upload all that they find in memory.
// `.vtr.zst`: the same, compressed with zstd (any number of frames). Which of the two a file is, is told by its first
// bytes, not by its name.
//
// Knows framing only: what the messages mean is the functional renderer's business.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace io {

inline constexpr std::uint64_t recording_size_limit = std::uint64_t{8} << 30;  // bytes, decompressed

// The whole decompressed stream from "VTR0" on, its framing and checksums checked to the last byte. Throws
// engine::IoError if the file cannot be read or is no regular file; engine::InputError with a byte offset if it is not
// a recording (which its first bytes tell), is truncated or damaged, or if it holds more than `limit` bytes, more than
// half of the memory that the program may use, or as zstd data more than 256 MiB and 1000 times its size. Takes as much
// memory as the stream is long.
std::vector<std::byte> load_recording(const std::filesystem::path& path, std::uint64_t limit = recording_size_limit);

enum class RecordKind : std::uint8_t { message = 0, reply = 1, origin = 2, checksum = 3, skipped = 4, filled = 5 };

struct Record {
    RecordKind kind = RecordKind::message;
    std::uint64_t offset = 0;  // of the record's first byte (its kind) in the decompressed stream
    std::span<const std::byte> payload;
};

// Walks the records of a decompressed stream, which must outlive it. `name` is what error messages call the stream.
class RecordingReader {
  public:
    explicit RecordingReader(std::span<const std::byte> stream, std::string name = "recording");
    bool next(Record& record);  // messages and replies; false at the end; throws engine::InputError if truncated
    bool next_of_any_kind(Record& record);  // checksums, origins and kinds for later too

  private:
    std::span<const std::byte> stream_;
    std::string name_;
    std::uint64_t offset_ = 0;
};

}  // namespace io
