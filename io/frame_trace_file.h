// Frame traces in HDF5: what frame_trace_file.md describes. Frames are appended one by one with bounded memory, and any
// frame can be loaded alone.
//
// Nothing stands under the file's name until finish() has closed it, read it back and found every digest right. Damage
// is found when the file is opened: the first 512 bytes hold the size and digest of the rest.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/hdf5_file.h"
#include "io/recording/file.h"
#include "models/frame_trace/frame_trace.h"
#include "models/functional/workers.h"

namespace io {

using models::functional::Workers;

inline constexpr int frame_trace_version = 5;
inline constexpr std::size_t frame_trace_tables = 25;  // per frame; see visit_tables

// Where a trace comes from; not part of its digest.
struct FrameTraceOrigin {
    std::string source;     // "tessera 0.1.0 git:..."
    std::string recording;  // file name
    std::string command_line;
    std::string recording_digest = {};  // XXH3-128 of its commands; empty: not known
};

class FrameTraceWriter {
  public:
    // `threads`: that pack large frames; the file does not depend on them.
    FrameTraceWriter(std::filesystem::path path, const FrameTraceOrigin& origin, Existing existing = Existing::replace,
                     int threads = 1);
    ~FrameTraceWriter();

    // `png`: the rendered image as a PNG file's bytes; may be empty.
    void append(const models::Frame& frame, std::string_view png);
    // Bytes that append() needs besides the frame, and later finish(), which reads each frame again.
    static std::uint64_t memory_to_append(const models::Frame& frame);

    // Programs come last: their paths grow as frames go by. Throws engine::InputError if a frame refers to what is not
    // there.
    void finish(const std::vector<models::Program>& programs);

    std::uint64_t quads() const { return quads_; }
    std::uint64_t image_bytes() const { return image_bytes_; }  // of all PNGs

  private:
    struct Datasets;
    void append_range(const std::string& name, std::uint64_t begin, std::uint64_t count);
    void append_tables(const Workers& workers, const models::Frame& frame);
    void check_written() const;

    Workers alone_{1}, workers_;
    NewFile pending_;
    Hdf5File file_;
    std::unique_ptr<Datasets> datasets_;
    std::vector<std::string> frame_digests_;
    std::uint64_t quads_ = 0, image_bytes_ = 0;
};

class FrameTraceFile {
  public:
    // True if the file's first bytes are a frame trace's.
    static bool recognises(const std::filesystem::path& path);

    // Verifies the digest of the whole file and reads the programs. Throws engine::IoError if the file cannot be read,
    // engine::InputError naming the dataset and row where it is damaged, of another version or inconsistent.
    // `threads`: that unpack large frames.
    explicit FrameTraceFile(const std::filesystem::path& path, int threads = 1);

    const std::vector<models::Program>& programs() const { return programs_; }
    std::size_t frame_count() const { return numbers_.size(); }
    std::uint32_t frame_number(std::size_t position) const { return numbers_[position]; }
    const std::string& digest_of(std::size_t position) const { return digests_[position]; }
    std::uint64_t quad_count(std::size_t position) const;
    // Rows per table in the order of the file's description: passes, draws, ...; without loading the frame.
    std::vector<std::pair<std::string, std::uint64_t>> row_counts(std::size_t position) const;
    FrameTraceOrigin origin() const;
    const models::ImageCheck& image_check(std::size_t position) const { return checks_[position]; }
    const std::string& digest() const { return digest_; }  // of programs and all frames
    const std::filesystem::path& path() const { return path_; }

    models::Frame load(std::size_t position) const;
    // Calls f with the threads that are worth while for this frame, standing by: for load() and whatever else is done
    // with all of the frame. Not from inside f.
    void side_by_side(std::size_t position, const std::function<void(const Workers&)>& f) const;
    std::string png(std::size_t position) const;  // empty if the trace has no image of the frame

  private:
    struct RowRange {
        std::uint64_t begin = 0, end = 0;
    };
    void check_attributes() const;
    void read_index();
    std::uint64_t memory_of(std::size_t position) const;
    models::Frame load_with(const Workers& workers, std::size_t position) const;

    Workers alone_{1}, workers_;
    std::filesystem::path path_;
    Hdf5File file_;
    std::vector<models::Program> programs_;
    std::vector<std::uint32_t> numbers_;
    std::vector<std::string> digests_;
    std::vector<std::array<RowRange, frame_trace_tables>> rows_;
    std::vector<RowRange> images_;
    std::vector<models::ImageCheck> checks_;
    std::string digest_;
};

}  // namespace io
