#include "experiments/tessera/record_command.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>

#include <unistd.h>

#include "engine/error.h"
#include "engine/parameter.h"
#include "engine/wall_clock.h"
#include "experiments/tessera/command_line.h"
#include "experiments/tessera/cores.h"
#include "experiments/tessera/number_option.h"
#include "experiments/tessera/options.h"
#include "experiments/tessera/version.h"
#include "io/file.h"
#include "io/output.h"
#include "io/progress.h"
#include "io/recipe/recipe.h"
#include "io/recorder/apitrace.h"
#include "io/recorder/process.h"
#include "io/recorder/recorder.h"

namespace experiments {
namespace {

constexpr const char* footer =
    "The application runs on Mesa's virpipe driver, on an X display of its own, with a clock that advances by\n"
    "1/FPS s per picture: the same command gives the same recording. In COMMAND, {size}, {width} and {height}\n"
    "stand for those of the display.\n"
    "\n"
    "Pictures before the first one recorded (--skip) are left out, and what was drawn for them is replaced by what\n"
    "it left in textures and buffers: they are drawn once more for that, as `tessera cut` does, at the end, which\n"
    "can take longer than the recording. Where that fails or is interrupted, the recording is kept with all that\n"
    "was drawn for them: it is larger, and traces of its frames are the same. --undefined-as-zero is for this.\n"
    "\n"
    "A workload (--workload) says all this by itself, and how to play; its application gets an empty home folder.\n"
    "\n"
    "An apitrace file (--apitrace), taken on any machine, is played once in place of an application.\n"
    "\n"
    "Example:  tessera record -o terrain.vtr.zst --frames 3 -- glmark2-es2 -s 800x600 -b terrain:nframes=3\n"
    "\n"
    "An interrupt (SIGINT, SIGTERM, SIGHUP, SIGQUIT) ends the application and keeps the complete pictures.\n"
    "\n"
    "Exit codes: 0 recorded; 2 wrong usage, a program or package is missing, the file exists; 3 the application\n"
    "drew nothing, fewer pictures than asked for (those are kept), or what virgl_test_server fails at, or what was\n"
    "drawn for the skipped ones could not be left out (it is kept); 4 socket in use, disk full, no folder for "
    "temporary files, renderer failed.";

struct RecordArguments {
    io::RecordOptions options;
    std::string workload, gles, size;
    std::filesystem::path apitrace;
    bool force = false;
};

io::Recipe find_recipe(const std::string& name) {
    if (name.ends_with(".toml")) return io::read_recipe(name);
    std::vector<std::string> known;
    for (const std::string& folder : workload_folders()) {
        const std::filesystem::path path = std::filesystem::path(folder) / (name + ".toml");
        if (io::exists(path)) return io::read_recipe(path);
        for (const std::string& one : io::recipe_names(folder)) known.push_back(one);
    }
    std::string list;
    for (const std::string& one : known) list += (list.empty() ? "" : ", ") + one;
    const std::string near = engine::nearest(name, known);
    throw engine::ConfigError("--workload: there is no '" + name + "'" +
                              (near.empty() ? "" : ", did you mean '" + near + "'?") + " (known: " + list + ")");
}

void check_packages(const io::Recipe& recipe) {
    if (!io::find_program(recipe.options.command[0]).empty()) return;
    std::string packages;
    for (const std::string& package : recipe.packages) packages += " " + package;
    throw engine::ConfigError(recipe.options.command[0] + " is not installed: apt-get install --no-install-recommends" +
                              packages);
}

// What the command line says goes before what the workload says.
void apply_workload(RecordArguments& arguments, const Command& command) {
    const io::Recipe recipe = find_recipe(arguments.workload);
    if (!arguments.options.command.empty()) throw engine::ConfigError("record: give --workload or a command, not both");
    check_packages(recipe);
    const io::RecordOptions given = arguments.options;
    io::RecordOptions& options = arguments.options;
    options = recipe.options;
    options.output = given.output.empty() ? std::filesystem::path(recipe.name + ".vtr.zst") : given.output;
    options.real_time = recipe.options.real_time || given.real_time;
    options.private_socket = given.private_socket;
    options.threads = given.threads;
    options.undefined_as_zero = given.undefined_as_zero;
    if (command.is_given("--frames")) options.frames = given.frames;
    if (command.is_given("--skip")) options.skip = given.skip;
    if (command.is_given("--fps")) options.frames_per_second = given.frames_per_second;
}

void apply_apitrace(RecordArguments& arguments) {
    io::RecordOptions& options = arguments.options;
    if (!options.command.empty() || !arguments.workload.empty())
        throw engine::ConfigError("record: give one of --apitrace, --workload and a command");
    const io::ApitraceReplay replay = io::replay_of(arguments.apitrace);
    const std::uint64_t needed = options.skip + std::max<std::uint64_t>(options.frames, 1);
    if (replay.frames < needed)
        throw engine::ConfigError(arguments.apitrace.string() + ": holds " + std::to_string(replay.frames) +
                                  " pictures; --skip and --frames need " + std::to_string(needed));
    options.command = replay.command;
}

std::string in_megabytes(std::uint64_t bytes) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f MB", static_cast<double>(bytes) / 1e6);
    return text;
}

// As CLI11 reads them. Its own ranges take what is no number, and print their ends with up to 300 digits.
ValueCheck number_from_to(double least, double most, const std::string& range) {
    return {"", [=](const std::string& text) {
                char* rest = nullptr;
                const auto value = static_cast<double>(std::strtold(text.c_str(), &rest));
                const bool is_number = !text.empty() && rest == text.c_str() + text.size();
                const bool fits = is_number && value >= least && value <= most;
                return fits ? std::string() : "expected " + range + ", found " + text;
            }};
}

void print(const RecordArguments& arguments, const io::RecordReport& report, double seconds) {
    const std::string what = report.width == 0 ? "computed frame" + std::string(report.frames == 1 ? "" : "s")
                                               : "picture" + std::string(report.frames == 1 ? "" : "s") + " of " +
                                                     std::to_string(report.width) + "x" + std::to_string(report.height);
    std::fprintf(stderr, "%s: %llu %s, %s, in %.1f s\n", arguments.options.output.c_str(),
                 static_cast<unsigned long long>(report.frames), what.c_str(), in_megabytes(report.bytes).c_str(),
                 seconds);
    if (arguments.options.skip > 0)
        std::fprintf(stderr, "skipped pictures left out, %s of textures and buffers filled with what they left\n",
                     in_megabytes(report.bytes_filled).c_str());
    if (!report.same_addresses)
        std::fprintf(stderr,
                     "note: resources have other addresses than without --skip: the application destroyed some that it "
                     "still used\n");
    if (!report.application_end.empty())
        std::fprintf(stderr, "note: %s ended with %s\n", arguments.options.command[0].c_str(),
                     report.application_end.c_str());
    if (!report.dropping.empty())
        std::fprintf(stderr,
                     "note: virgl_test_server dropped the commands of one of the application's contexts; if it was the "
                     "recorded one, pictures are not what the application drew: %s\n",
                     report.dropping.c_str());
    if (report.other_frames > 0)
        std::fprintf(stderr, "note: %llu pictures of other contexts of the application were not recorded\n",
                     static_cast<unsigned long long>(report.other_frames));
}

void run(RecordArguments& arguments, const Command& command) {
    io::RecordOptions& options = arguments.options;
    if (!arguments.apitrace.empty())
        apply_apitrace(arguments);
    else if (!arguments.workload.empty())
        apply_workload(arguments, command);
    if (options.command.empty())
        throw engine::ConfigError("record: expected a command after --, --workload NAME or --apitrace FILE");
    if (options.output.empty()) throw engine::ConfigError("record: expected -o RECORDING.vtr.zst");
    if (!arguments.size.empty()) options.size = io::parse_screen_size(arguments.size, "--size");
    if (!arguments.gles.empty()) options.gles = io::parse_gles_level(arguments.gles).value();  // the option checked it
    io::OutputPolicy policy{arguments.force, {}};
    if (!arguments.apitrace.empty()) policy.inputs.push_back(arguments.apitrace);
    if (arguments.workload.ends_with(".toml")) policy.inputs.emplace_back(arguments.workload);
    const io::OutputFile output(options.output, io::recording_output, policy);
    options.existing = output.existing();
    options.source = version_text();
    options.threads = choose_threads(options.threads);
    if (::isatty(STDERR_FILENO) == 1)
        options.on_frame = [](std::uint64_t frames) {
            std::fprintf(stderr, "\rpicture %llu \r", static_cast<unsigned long long>(frames));
        };
    std::optional<io::Progress> progress;
    options.on_drawn = [&](std::uint64_t drawn, std::uint64_t of) {
        if (!progress) progress.emplace(io::Progress::Style::automatic);
        progress->update(static_cast<double>(drawn) / static_cast<double>(of),
                         "skipped picture " + std::to_string(drawn) + " of " + std::to_string(of) + " drawn once more");
    };
    const auto start = engine::Clock::now();
    const io::RecordReport report = io::record(options);
    progress.reset();
    print(arguments, report, engine::seconds_since(start));
}

}  // namespace

void add_record_command(Commands& commands) {
    auto arguments = std::make_shared<RecordArguments>();
    io::RecordOptions& options = arguments->options;
    Command command = commands.add("record", "record what an OpenGL or OpenGL ES application draws");
    command.add_option("-o,--output", options.output,
                       "the recording to write, *.vtr.zst or *.vtr [NAME.vtr.zst of a workload]");
    command
        .add_option("--workload", arguments->workload,
                    "record the application that experiments/workloads/NAME.toml describes, or a file *.toml")
        .type_name("NAME");
    command
        .add_option("--apitrace", arguments->apitrace,
                    "record what an apitrace file draws when it is played (package apitrace)")
        .type_name("FILE");
    command.add_option("--frames", options.frames, "stop after N pictures [until the application ends]")
        .type_name("N")
        .check(whole_number(1, io::most_pictures));
    command.add_option("--skip", options.skip, "leave out the first N pictures [0]")
        .type_name("N")
        .check(whole_number(0, io::most_pictures));
    command
        .add_option(
            "--gles", arguments->gles,
            "what the application may use: OpenGL ES 2 (OpenGL 2.1), 3 (3.3), 3.1 (with compute shaders), or full [2]")
        .type_name("LEVEL")
        .one_of({"2", "3", "3.1", "full"});
    command.add_option("--size", arguments->size, "size of the display [1920x1080]").type_name("WxH");
    command
        .add_option("--fps", options.frames_per_second,
                    "pictures per second of the application's clock, 0.001 to 1e6 [60]")
        .type_name("FPS")
        .check(number_from_to(0.001, 1e6, "0.001 to 1e6 pictures per second"));
    command.add_flag("--real-time", options.real_time, "leave the application the real clock");
    command.add_flag("--private-socket", options.private_socket,
                     "allow several recordings at a time (leads the application away from Mesa's own socket)");
    add_undefined_as_zero_option(command, options.undefined_as_zero);
    add_threads_option(command, options.threads);
    command.add_flag("--force", arguments->force, "replace the recording if it exists");
    command.add_option("command", options.command, "the application and its arguments, after --")
        .type_name("COMMAND")
        .may_be_empty();
    command.footer(footer);
    command.callback([arguments, command] { run(*arguments, command); });
}

}  // namespace experiments
