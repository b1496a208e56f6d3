#include "io/recorder/provenance.h"

#include <cmath>
#include <system_error>

#include "io/recorder/process.h"

namespace io {
namespace {

std::string first_line_of(const std::vector<std::string>& command) {
    const std::string text = output_of(command);
    return text.substr(0, text.find('\n'));
}

// "neverball 1.6.0+git20180603-1"
std::string package_text(const std::string& package) {
    const std::string version = first_line_of({"dpkg-query", "-W", "-f=${Version}\n", package});
    return version.empty() ? "" : package + " " + version;
}

std::string owner_of(const std::filesystem::path& program) {
    std::error_code failed;
    const std::filesystem::path file = std::filesystem::canonical(program, failed);
    if (failed) return "";
    for (const std::filesystem::path& candidate : {file, program}) {
        const std::string line = first_line_of({"dpkg-query", "-S", candidate.string()});
        const std::size_t end = line.find_first_of(":,");
        if (end != std::string::npos) return package_text(line.substr(0, end));
    }
    return "";
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) {
        const bool plain = !word.empty() && word.find_first_of(" \t\n'\"\\$&;|<>*?()[]{}~#`!") == std::string::npos;
        if (!text.empty()) text += " ";
        if (plain) {
            text += word;
            continue;
        }
        text += "'";
        for (const char letter : word) text += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
        text += "'";
    }
    return text;
}

const char* name_of(GlesLevel level) {
    return level == GlesLevel::gles2 ? "2" : level == GlesLevel::gles3 ? "3" : "full";
}

}  // namespace

RecordingOrigin recording_origin(const RecordOptions& options, const std::vector<std::string>& command) {
    const auto step = static_cast<std::int64_t>(std::round(1e9 / options.frames_per_second));
    RecordingOrigin origin{
        {"source", options.source},
        {"workload", options.workload},
        {"command", joined(command)},
        {"package", owner_of(find_program(command[0]))},
        {"mesa", package_text("libgl1-mesa-dri")},
        {"renderer", package_text("virgl-server")},
        {"gles", name_of(options.gles)},
        {"size", std::to_string(options.size.width) + "x" + std::to_string(options.size.height)},
        {"clock", options.real_time ? "real" : std::to_string(step) + " ns per frame"},
        {"skipped_frames", std::to_string(options.skip)},
    };
    std::erase_if(origin, [](const auto& entry) { return entry.second.empty(); });
    return origin;
}

}  // namespace io
