#include "experiments/tessera/cut_command.h"

#include <cstdio>
#include <memory>
#include <string>

#include "engine/error.h"
#include "experiments/tessera/command_line.h"
#include "experiments/tessera/cores.h"
#include "experiments/tessera/frame_range.h"
#include "experiments/tessera/open_recording.h"
#include "experiments/tessera/options.h"
#include "experiments/tessera/version.h"
#include "io/cut/cut_file.h"
#include "io/output.h"

namespace experiments {

namespace {

struct CutArguments {
    std::filesystem::path recording, output;
    std::string frames;
    int threads = 0;
    bool undefined_as_zero = false, force = false;
};

void run(const CutArguments& arguments) {
    const std::string name = arguments.output.string();
    if (!name.ends_with(".vtr") && !name.ends_with(".vtr.zst"))
        throw engine::ConfigError(name + ": a recording's name ends in .vtr or .vtr.zst");
    const FrameRange frames = parse_frame_range(arguments.frames);
    if (!frames.bounded()) throw engine::ConfigError("--frames: expected A-B or A, found '" + arguments.frames + "'");
    const io::OutputFile output(arguments.output, io::recording_output, {arguments.force, {arguments.recording}});
    const std::string note =
        "frames " + arguments.frames + " of " + arguments.recording.filename().string() + ", by " + version_text();
    const io::CutFileReport report =
        io::cut_recording_file(open_recording(arguments.recording), arguments.recording, arguments.output, note,
                               {.frames = {frames.first, frames.last},
                                .threads = choose_threads(arguments.threads),
                                .undefined_as_zero = arguments.undefined_as_zero},
                               output.existing());
    std::printf("%s: %u frame%s, %.2f MB; %llu resources filled with %.2f MB\n", name.c_str(), report.cut.frames,
                report.cut.frames == 1 ? "" : "s", static_cast<double>(report.bytes) / 1e6,
                static_cast<unsigned long long>(report.cut.resources_filled),
                static_cast<double>(report.cut.bytes_filled) / 1e6);
    if (!report.cut.same_addresses)
        std::fprintf(stderr,
                     "note: resources have other addresses than in %s: the application destroyed some that it "
                     "still used\n",
                     arguments.recording.c_str());
}

}  // namespace

void add_cut_command(Commands& commands) {
    auto arguments = std::make_shared<CutArguments>();
    Command command = commands.add("cut", "make a small recording of some frames of a recording");
    command.add_option("RECORDING", arguments->recording, "*.vtr or *.vtr.zst").required();
    command.add_option("-o,--output", arguments->output, "the recording to write, *.vtr.zst or *.vtr").required();
    command.add_option("--frames", arguments->frames, "frames A-B or A, counted from 0").type_name("A-B").required();
    add_undefined_as_zero_option(command, arguments->undefined_as_zero);
    add_threads_option(command, arguments->threads);
    command.add_flag("--force", arguments->force, "replace the output if it exists");
    command.footer(
        "Renders what comes before the first frame and starts the new recording with the state it left: objects,\n"
        "bindings, and what is in the textures and buffers that the frames use. The frames and their reference\n"
        "images are those of RECORDING, numbered from 0.\n\n"
        "Example:  tessera cut game.vtr.zst -o moment.vtr.zst --frames 120-123\n\n"
        "Exit codes: 0 done; 2 usage; 3 the recording is damaged, has no such frames or needs something\n"
        "unsupported; 4 a file cannot be read or written.");
    command.callback([arguments] { run(*arguments); });
}

}  // namespace experiments
