#include "experiments/tessera/trace_command.h"

#include <cstdio>
#include <iterator>
#include <memory>
#include <optional>

#include <unistd.h>

#include "engine/error.h"
#include "engine/parameter.h"
#include "engine/wall_clock.h"
#include "experiments/tessera/command_line.h"
#include "experiments/tessera/cores.h"
#include "experiments/tessera/options.h"
#include "experiments/tessera/tracing.h"
#include "io/log.h"
#include "io/output_images.h"
#include "io/progress.h"

namespace experiments {

namespace {

constexpr double check_psnr = 40;  // dB

struct TraceArguments {
    TraceRequest request;
    std::filesystem::path images, references, differences;  // folders; empty: none
    std::string memory_limit, progress = "auto";
    int threads = 0;
    bool check = false, force = false;
};

std::string frame_line(const TracedFrame& frame, bool traced) {
    std::string line = "frame " + std::to_string(frame.number);
    if (traced) line += ": " + std::to_string(frame.quads) + " quads";
    if (frame.kernels > 0) line += (traced ? ", " : ": ") + std::to_string(frame.kernels) + " kernels";
    if (!frame.has_picture) {
        for (const auto& check : frame.read_backs) line += ", " + read_back_text(check);
        return line + (frame.read_backs.empty() ? ", nothing read back" : "");
    }
    if (!frame.check.present) return line + ", no reference image";
    char similarity[64];
    std::snprintf(similarity, sizeof similarity, ", SSIM %.5f, %.4f %% of pixels off by more than 2", frame.check.ssim,
                  100 * frame.check.share_off);
    return line + ", PSNR " + psnr_text(frame.check) + ", largest difference " +
           std::to_string(frame.check.largest_difference) + similarity;
}

void print(const TraceRequest& request, const TraceReport& report, double seconds) {
    std::printf("%zu frames in %.1f s\n", report.frames.size(), seconds);
    if (request.trace.empty()) return;
    const double per_quad = static_cast<double>(report.file_bytes - report.image_bytes) /
                            static_cast<double>(std::max<std::uint64_t>(report.quads, 1));
    std::printf("%s: %.2f MB, %llu quads, %.2f bytes per quad (images apart)\n", request.trace.c_str(),
                static_cast<double>(report.file_bytes) / 1e6, static_cast<unsigned long long>(report.quads), per_quad);
}

// Everything that is written to, from before anything is rendered.
struct TraceOutputs {
    std::optional<io::OutputFile> trace;
    std::optional<io::OutputImages> images, references, differences;

    void claim(const TraceArguments& arguments, TraceRequest& request) {
        const io::OutputPolicy policy{arguments.force, {request.recording}};
        if (!request.trace.empty())
            request.existing = trace.emplace(request.trace, io::trace_output, policy).existing();
        const auto claim_folder = [&](const std::filesystem::path& folder, std::optional<io::OutputImages>& output) {
            return folder.empty() ? nullptr
                                  : &output.emplace(folder, request.frames.first, request.frames.last, policy);
        };
        request.images = claim_folder(arguments.images, images);
        request.references = claim_folder(arguments.references, references);
        request.differences = claim_folder(arguments.differences, differences);
    }
};

std::uint64_t parse_memory_limit(const std::string& text) {
    using Unit = engine::Unit<engine::Bytes>;
    std::int64_t bytes = 0;
    try {
        bytes = engine::parse_quantity(text, Unit::name, Unit::suffixes, std::size(Unit::suffixes), Unit::bare);
    } catch (const engine::ConfigError& error) {
        throw engine::ConfigError(std::string("--memory-limit: ") + error.what());
    }
    if (bytes <= 0) throw engine::ConfigError("--memory-limit: expected more than nothing, found \"" + text + "\"");
    return static_cast<std::uint64_t>(bytes);
}

void run(const TraceArguments& arguments) {
    TraceRequest request = arguments.request;
    if (request.trace.empty() && arguments.images.empty() && arguments.references.empty() &&
        arguments.differences.empty() && !arguments.check)
        throw engine::ConfigError(
            "trace: nothing to do: give -o TRACE.h5, --images DIR, --references DIR, --differences DIR or --check");
    const std::string name = request.trace.filename().string();
    if (name.ends_with(".vtr") || name.ends_with(".zst"))
        throw engine::ConfigError("--output: a frame trace's name ends in .h5, that of " + request.trace.string() +
                                  " is a recording's");
    if (!arguments.memory_limit.empty()) request.memory_limit = parse_memory_limit(arguments.memory_limit);
    TraceOutputs outputs;
    outputs.claim(arguments, request);
    if (arguments.check) request.least_psnr = check_psnr;
    request.threads = choose_threads(arguments.threads);
    request.command_line = command_line();

    const auto start = engine::Clock::now();
    io::Progress::Style style = parse_progress(arguments.progress);
    if (style == io::Progress::Style::automatic && ::isatty(STDERR_FILENO) == 0)
        style = io::Progress::Style::none;  // the lines about frames tell enough
    io::Progress progress(style);
    std::size_t done = 0;
    const TraceReport report = trace_recording(request, [&](const TracedFrame& frame) {
        progress.clear();
        std::printf("%s\n", frame_line(frame, !request.trace.empty()).c_str());
        std::fflush(stdout);
        ++done;
        const double frames = request.frames.last - request.frames.first + 1.0;
        progress.update(request.frames.bounded() ? static_cast<double>(done) / frames : -1,
                        std::to_string(done) + " frames traced");
    });
    progress.clear();
    const std::string missing = frames_missing(request.frames, request.recording.string(), report.frames.back().number);
    if (!missing.empty()) io::log_warning(missing);
    print(request, report, engine::seconds_since(start));
}

}  // namespace

void add_trace_command(Commands& commands) {
    auto arguments = std::make_shared<TraceArguments>();
    Command command = commands.add("trace", "render a recording and write what a GPU has to do for it");
    command.add_option("RECORDING", arguments->request.recording, "*.vtr or *.vtr.zst, from `tessera record`")
        .required();
    command.add_option("-o,--output", arguments->request.trace, "the frame trace to write, *.h5");
    add_frames_option(command, arguments->request.frames);
    command.add_option("--images", arguments->images, "write frame_NNNN.png of each frame to this folder")
        .type_name("DIR");
    command
        .add_option("--references", arguments->references,
                    "write frame_NNNN.png of each recorded reference image to this folder")
        .type_name("DIR");
    command
        .add_option("--differences", arguments->differences,
                    "write frame_NNNN.png of 32 times the difference from the reference image to this folder")
        .type_name("DIR");
    command.add_flag("--check", arguments->check,
                     "fail (exit 1) at a frame under 40 dB against the recorded reference image, or, of one without "
                     "a picture, where bytes that were read back differ (floats: by more than 1e-6 of the largest)");
    command.add_flag("--anisotropic", arguments->request.anisotropic,
                     "filter as anisotropically as the application asks; the reference images do not");
    add_undefined_as_zero_option(command, arguments->request.undefined_as_zero);
    command
        .add_option("--memory-limit", arguments->memory_limit,
                    "refuse a frame (exit 3) before the recording, its textures and the frame's trace take more, "
                    "such as 8GiB [half of the machine's memory]")
        .type_name("SIZE");
    add_threads_option(command, arguments->threads);
    add_progress_option(command, arguments->progress);
    command.add_flag("--force", arguments->force, "replace the trace, and images of the frames wanted, if they exist");
    command.footer(
        "Prints PSNR (dB), the largest difference of a colour (0 to 255), SSIM (luma, Wang 2004) and the share of\n"
        "pixels with a colour off by more than 2 per frame. The result does not\n"
        "depend on the number of threads.\n\n"
        "Example:  tessera trace game.vtr.zst -o game.h5 --frames 0-9 --images pictures --check\n\n"
        "Exit codes: 0 done; 1 --check failed; 2 usage; 3 the recording is damaged or needs something\n"
        "unsupported (named with its byte offset), or more memory than the limit; 4 a file cannot be read or written.");
    command.callback([arguments] { run(*arguments); });
}

}  // namespace experiments
