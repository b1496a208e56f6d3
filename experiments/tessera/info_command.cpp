#include "experiments/tessera/info_command.h"

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/error.h"
#include "engine/wall_clock.h"
#include "experiments/tessera/fact_sheet.h"
#include "experiments/tessera/open_recording.h"
#include "experiments/tessera/options.h"
#include "io/frame_trace_file.h"
#include "io/recording/origin.h"
#include "io/recording_summary.h"

namespace experiments {

namespace {

std::uint64_t size_of(const std::filesystem::path& path) {
    return std::filesystem::file_size(path);
}

FactTable resource_table(const io::RecordingSummary& summary) {
    FactTable table{"resources", {"use", "format", "count", "bytes"}, {}};
    for (const auto& [kind, counted] : summary.resources)
        table.rows.push_back({kind.first, kind.second, counted.count, counted.bytes});
    return table;
}

FactTable frame_table(const io::RecordingSummary& summary) {
    FactTable table{"frames",
                    {"frame", "width", "height", "draws", "vertices", "kernels", "clears", "copies", "shaders",
                     "resources", "uploaded bytes", "bytes", "reference"},
                    {}};
    for (const io::RecordedFrame& frame : summary.frames)
        table.rows.push_back({table.rows.size(), frame.width, frame.height, frame.draws, frame.vertices, frame.kernels,
                              frame.clears, frame.copies, frame.shaders, frame.resources, frame.uploads, frame.bytes,
                              Cell::yes_or_no(frame.reference)});
    return table;
}

FactSheet describe_recording(const std::filesystem::path& path) {
    const std::vector<std::byte> stream = open_recording(path);
    io::RecordingSummary summary;
    try {
        summary = io::summarise_recording(stream);
    } catch (const engine::InputError& error) {
        throw engine::InputError(path.string() + ": " + error.what());
    }
    FactSheet sheet;
    sheet.facts = {{"file", path.string()}, {"kind", "recording"}};
    for (const auto& [name, text] : io::origin_of(stream)) sheet.facts.emplace_back(name, text);
    std::uint64_t draws = 0;
    for (const io::RecordedFrame& frame : summary.frames) draws += frame.draws;
    const std::vector<std::pair<std::string, Cell>> counts = {{"checksums", Cell::yes_or_no(io::has_checksums(stream))},
                                                              {"file bytes", size_of(path)},
                                                              {"decompressed bytes", stream.size()},
                                                              {"bytes after last frame", summary.trailing_bytes},
                                                              {"frame count", summary.frames.size()},
                                                              {"pictures left out", summary.left_out},
                                                              {"draws", draws},
                                                              {"vertex shaders", summary.vertex_shaders},
                                                              {"fragment shaders", summary.fragment_shaders},
                                                              {"compute shaders", summary.compute_shaders},
                                                              {"other shaders", summary.other_shaders},
                                                              {"contexts", summary.sub_contexts},
                                                              {"largest memory", summary.largest_memory}};
    sheet.facts.insert(sheet.facts.end(), counts.begin(), counts.end());
    sheet.tables = {resource_table(summary), frame_table(summary)};
    return sheet;
}

constexpr const char* stage_names[] = {"vertex", "fragment", "compute"};

FactTable program_table(const io::FrameTraceFile& trace) {
    FactTable table{"programs", {"program", "stage", "instructions", "temporaries", "constants", "paths"}, {}};
    for (const models::Program& program : trace.programs())
        table.rows.push_back({table.rows.size(), stage_names[static_cast<std::size_t>(program.stage)],
                              program.instructions.size(), program.temporaries, program.constants,
                              program.paths.size()});
    return table;
}

FactTable traced_frame_table(const io::FrameTraceFile& trace) {
    FactTable table{"frames", {"frame"}, {}};
    for (std::size_t i = 0; i < trace.frame_count(); ++i) {
        const auto counts = trace.row_counts(i);
        std::vector<Cell> row{trace.frame_number(i)};
        for (const auto& [name, count] : counts) {
            if (i == 0) table.columns.push_back(name);
            row.emplace_back(count);
        }
        const models::ImageCheck& check = trace.image_check(i);
        row.push_back(check.present ? Cell::real(check.psnr, 2) : Cell(""));
        row.push_back(check.present ? Cell(std::uint64_t{check.largest_difference}) : Cell(""));
        row.push_back(check.present ? Cell::real(check.ssim, 5) : Cell(""));
        row.push_back(check.present ? Cell::real(check.share_off, 6) : Cell(""));
        row.emplace_back(trace.digest_of(i));
        table.rows.push_back(std::move(row));
    }
    for (const char* column : {"psnr", "largest difference", "ssim", "share off", "digest"})
        table.columns.emplace_back(column);
    return table;
}

// Every frame, as a run loads it.
FactTable load_table(const io::FrameTraceFile& trace) {
    FactTable table{"loading", {"frame", "seconds"}, {}};
    for (std::size_t i = 0; i < trace.frame_count(); ++i) {
        const auto start = engine::Clock::now();
        const models::Frame frame = trace.load(i);
        const double seconds = engine::seconds_since(start);
        table.rows.push_back({frame.number, Cell::real(seconds, 3)});
    }
    return table;
}

FactSheet describe_trace(const std::filesystem::path& path, bool load) {
    const io::FrameTraceFile trace(path);
    const io::FrameTraceOrigin origin = trace.origin();
    std::uint64_t quads = 0;
    for (std::size_t i = 0; i < trace.frame_count(); ++i) quads += trace.quad_count(i);
    FactSheet sheet;
    sheet.facts = {{"file", path.string()},
                   {"kind", "frame trace"},
                   {"source", origin.source},
                   {"recording", origin.recording},
                   {"command", origin.command_line},
                   {"digest", trace.digest()},
                   {"file bytes", size_of(path)},
                   {"frame count", trace.frame_count()},
                   {"quads", quads}};
    sheet.tables = {program_table(trace), traced_frame_table(trace)};
    if (load) sheet.tables.push_back(load_table(trace));
    return sheet;
}

void run(const std::filesystem::path& path, bool json, bool load) {
    const bool is_trace = io::FrameTraceFile::recognises(path);
    if (load && !is_trace) throw engine::ConfigError(path.string() + ": --load is for frame traces (*.h5)");
    const FactSheet sheet = is_trace ? describe_trace(path, load) : describe_recording(path);
    std::printf("%s", (json ? sheet.as_json() : sheet.as_text()).c_str());
}

}  // namespace

void add_info_command(Commands& commands) {
    struct Arguments {
        std::filesystem::path path;
        bool json = false, load = false;
    };
    auto arguments = std::make_shared<Arguments>();
    Command command = commands.add("info", "tell what a recording or a frame trace holds");
    command.add_option("FILE", arguments->path, "*.vtr, *.vtr.zst or *.h5").required();
    command.add_flag("--json", arguments->json, "as one JSON object");
    command.add_flag("--load", arguments->load, "load every frame of a trace as a run does, and tell the seconds");
    command.footer(
        "What it is and what produced it, frames, draws, shaders, textures by format, sizes in bytes, and a table\n"
        "of the frames. Counts only; `tessera trace --check` renders and compares.\n\n"
        "Exit codes: 0 done; 2 usage; 3 the file is damaged or something else; 4 it cannot be read.");
    command.callback([arguments] { run(arguments->path, arguments->json, arguments->load); });
}

}  // namespace experiments
