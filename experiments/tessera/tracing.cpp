#include "experiments/tessera/tracing.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <new>
#include <optional>
#include <span>

#include "engine/error.h"
#include "experiments/tessera/open_recording.h"
#include "experiments/tessera/version.h"
#include "io/frame_marks.h"
#include "io/frame_trace_file.h"
#include "io/image_file.h"
#include "io/program_numbering.h"
#include "io/recording/machine_memory.h"
#include "models/functional/renderer.h"

namespace experiments {

namespace {

using models::functional::FunctionalRenderer;
using models::functional::Image;
using models::functional::MemoryMeter;

// Has its text in place: there may be no memory for it.
class OutOfMemory : public std::bad_alloc {
  public:
    OutOfMemory(const std::filesystem::path& recording, std::uint32_t frame, const std::string& taken) {
        std::snprintf(
            text_.data(), text_.size(),
            "%s: out of memory at frame %u: tracing takes %s so far, and the system gives no more; a frame of "
            "fewer pictures needs less (tessera record and tessera cut choose the pictures)",
            recording.c_str(), frame, taken.c_str());
    }
    const char* what() const noexcept override { return text_.data(); }

  private:
    std::array<char, 1024> text_{};
};

void check_read_backs(const std::string& where, const TracedFrame& frame) {
    if (frame.read_backs.empty())
        throw engine::InternalError(where + "the recording has neither a picture nor bytes read back to check");
    for (const models::functional::ReadBackCheck& check : frame.read_backs)
        if (!check.right())
            throw engine::InternalError(where + "expected what the recording read back of resource " +
                                        std::to_string(check.resource) + ", found " + read_back_text(check));
}

void check_image(const TraceRequest& request, const TracedFrame& frame) {
    if (request.least_psnr <= 0) return;
    const std::string where = request.recording.string() + ": frame " + std::to_string(frame.number) + ": ";
    if (!frame.has_picture) return check_read_backs(where, frame);
    if (!frame.check.present) throw engine::InternalError(where + "the recording has no reference image to check");
    if (frame.check.psnr < request.least_psnr)
        throw engine::InternalError(where + "expected at least " + std::to_string(std::lround(request.least_psnr)) +
                                    " dB against the reference image, found " + psnr_text(frame.check) +
                                    " (largest difference " + std::to_string(frame.check.largest_difference) + ")");
}

// Executes a frame that is wanted, and stores what was asked for.
class FrameTracer {
  public:
    FrameTracer(const TraceRequest& request, std::span<const std::byte> stream) : request_(request) {
        if (!request.trace.empty())
            writer_.emplace(request.trace,
                            io::FrameTraceOrigin{version_text(), request.recording.filename().string(),
                                                 request.command_line, digest_of_recording(stream)},
                            request.existing, request.threads);
    }

    bool next(FunctionalRenderer& renderer, std::uint32_t number, TracedFrame& traced) {
        models::Frame frame;
        if (!renderer.next_frame(writer_ ? &frame : nullptr, &image_, &reference_)) return false;
        traced.number = frame.number = number;
        traced.quads = frame.quads.size();
        traced.kernels = renderer.kernels();
        traced.has_picture = !image_.empty();
        traced.check = frame.check;
        traced.read_backs = renderer.read_backs();
        if (!writer_ && !reference_.empty()) traced.check = models::functional::compare(image_, reference_, workers_);
        const std::string png = traced.has_picture ? io::encode_png(image_) : std::string();
        if (request_.images != nullptr && traced.has_picture) request_.images->write(number, png);
        if (request_.references != nullptr && !reference_.empty())
            request_.references->write(number, io::encode_png(reference_));
        if (request_.differences != nullptr && traced.has_picture && image_.rgba.size() == reference_.rgba.size())
            request_.differences->write(number,
                                        io::encode_png(models::functional::difference_image(image_, reference_)));
        if (writer_) {
            numbering_.renumber(frame);
            const std::uint64_t more = io::FrameTraceWriter::memory_to_append(frame);
            renderer.memory().set(MemoryMeter::Use::writing, more);
            writer_->append(frame, png);
            renderer.memory().set(MemoryMeter::Use::writing, 0);
        }
        check_image(request_, traced);
        return true;
    }

    void finish(const FunctionalRenderer& renderer, TraceReport& report) {
        if (!writer_) return;
        writer_->finish(numbering_.select(renderer.programs()));
        report.file_bytes = std::filesystem::file_size(request_.trace);
        report.image_bytes = writer_->image_bytes();
    }

  private:
    const TraceRequest& request_;
    Image image_, reference_;  // of the last frame
    models::functional::Workers workers_{request_.threads};
    std::optional<io::FrameTraceWriter> writer_;
    io::ProgramNumbering numbering_;
};

}  // namespace

TraceReport trace_recording(const TraceRequest& request, const std::function<void(const TracedFrame&)>& on_frame) {
    const std::vector<std::byte> stream = open_recording(request.recording);
    const std::uint64_t limit = request.memory_limit != 0 ? request.memory_limit : io::default_memory_limit();
    FunctionalRenderer renderer(stream, {.threads = request.threads,
                                         .anisotropic = request.anisotropic,
                                         .undefined_as_zero = request.undefined_as_zero,
                                         .memory_limit = limit});
    FrameTracer tracer(request, stream);
    TraceReport report;
    std::uint32_t number = 0;
    const auto stops = [&] { return report.stopped = request.stops(); };
    try {
        const auto starts = io::work_starts(stream);
        for (; number < request.frames.first; ++number) {
            if (stops()) return report;
            if (!renderer.next_frame(nullptr, nullptr, nullptr)) break;
            request.after_each();
        }
        for (TracedFrame traced; number >= request.frames.first && number <= request.frames.last; ++number) {
            if (stops()) return report;
            if (const auto start = starts.find(number); start != starts.end()) renderer.execute_to(start->second);
            if (!tracer.next(renderer, number, traced)) break;
            report.frames.push_back(traced);
            report.quads += traced.quads;
            on_frame(traced);
            request.after_each();
        }
    } catch (const engine::InputError& error) {
        throw engine::InputError(request.recording.string() + ": " + error.what());
    } catch (const std::bad_alloc&) {
        throw OutOfMemory(request.recording, number, renderer.memory().text());
    }
    if (report.frames.empty())
        throw engine::InputError(request.recording.string() + ": holds " + std::to_string(number) +
                                 " frames; none of them is in " + request.frames.text());
    tracer.finish(renderer, report);
    for (io::OutputImages* folder : {request.images, request.references, request.differences})
        if (folder != nullptr) folder->finish();
    return report;
}

std::string read_back_text(const models::functional::ReadBackCheck& check) {
    const std::string bytes = std::to_string(check.bytes) + " bytes read back";
    if (!check.present) return bytes + ", not in the recording";
    if (check.different == 0) return bytes + ", equal";
    const std::string words =
        bytes + ", " + std::to_string(check.different) + " of " + std::to_string(check.words) + " words differ";
    if (std::isinf(check.largest_difference)) return words;
    char text[64];
    std::snprintf(text, sizeof text, " by at most %.1e of the largest", check.largest_difference);
    return words + text;
}

std::string psnr_text(const models::ImageCheck& check) {
    if (std::isinf(check.psnr)) return "infinite dB";
    char text[32];
    std::snprintf(text, sizeof text, "%.2f dB", check.psnr);
    return text;
}

}  // namespace experiments
