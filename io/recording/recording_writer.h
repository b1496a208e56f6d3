// Writes a recording (format: recording.h), zstd-compressed if the name ends in ".zst", with what produced it first and
// a checksum at the end of every frame. Complete frames only: what was added after the last end_frame() is cut off
// again by commit(). Until then nothing stands under the file's name.
//
// Errors of the file system are engine::IoError; the temporary file is removed with the writer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "io/recording/checksum.h"
#include "io/recording/file.h"
#include "io/recording/origin.h"
#include "io/recording/recording.h"

struct ZSTD_CCtx_s;

namespace io {

class RecordingWriter {
  public:
    explicit RecordingWriter(const std::filesystem::path& path, const RecordingOrigin& origin = {},
                             Existing existing = Existing::replace);
    ~RecordingWriter();

    void add(RecordKind kind, std::span<const std::byte> payload);  // payload: at most 4 GiB - 1
    void end_frame();                                               // everything up to here is worth keeping
    void commit();                                                  // everything up to the last end_frame()

    std::uint64_t frames() const { return frames_; }
    std::uint64_t size() const { return file_.size(); }  // bytes on the disk

  private:
    struct FreeEncoder {
        void operator()(ZSTD_CCtx_s* encoder) const;
    };
    void put(std::span<const std::byte> bytes);
    void finish_compressed_frame();

    NewFile file_;
    std::unique_ptr<ZSTD_CCtx_s, FreeEncoder> encoder_;  // empty: not compressed
    std::vector<std::byte> encoded_;
    ChecksumBuilder checksum_;
    std::uint64_t frames_ = 0;
    std::uint64_t kept_size_ = 0;
};

}  // namespace io
