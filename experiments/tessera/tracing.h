// From a recording to a frame trace and images.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "experiments/tessera/frame_range.h"
#include "io/output_images.h"
#include "io/recording/file.h"
#include "models/frame_trace/frame_trace.h"
#include "models/functional/read_back.h"

namespace experiments {

struct TraceRequest {
    std::filesystem::path recording;
    std::filesystem::path trace;                    // empty: no trace is written
    io::Existing existing = io::Existing::replace;  // what becomes of a file that has its name
    io::OutputImages* images = nullptr;             // none: no images are written
    io::OutputImages* references = nullptr;         // none: the recorded images are not
    io::OutputImages* differences = nullptr;        // none: what differs is not
    FrameRange frames;
    double least_psnr = 0;  // dB: a frame below, without a reference, or whose bytes read back are wrong is an
                            // engine::InternalError; 0: no check
    int threads = 1;
    bool anisotropic = false;        // as in FunctionalRenderer::Options
    bool undefined_as_zero = false;  // likewise
    std::uint64_t memory_limit = 0;  // bytes, likewise; 0: io::default_memory_limit()
    std::string command_line;
    std::function<void()> after_each = [] {};            // frame, also of those before the range
    std::function<bool()> stops = [] { return false; };  // asked before each of them: true ends it without a trace
};

struct TracedFrame {
    std::uint32_t number = 0;
    std::uint64_t quads = 0;
    std::uint32_t kernels = 0;  // launched
    bool has_picture = true;
    models::ImageCheck check;                                   // of the picture
    std::vector<models::functional::ReadBackCheck> read_backs;  // of a frame without one
};

struct TraceReport {
    std::vector<TracedFrame> frames;
    std::uint64_t quads = 0;
    std::uint64_t file_bytes = 0;   // of the trace
    std::uint64_t image_bytes = 0;  // of them, the images'
    bool stopped = false;           // by TraceRequest::stops: nothing has been written but images
};

// `on_frame` is called after each frame in range. The trace appears under its name only when everything went well. What
// is thrown for want of memory is a std::bad_alloc that names the recording and the frame.
TraceReport trace_recording(const TraceRequest& request, const std::function<void(const TracedFrame&)>& on_frame);

// "infinite dB" when two images are equal.
std::string psnr_text(const models::ImageCheck& check);
// "65536 bytes read back, equal"
std::string read_back_text(const models::functional::ReadBackCheck& check);

}  // namespace experiments
