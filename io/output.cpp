#include "io/output.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <string_view>
#include <utility>

#include <sys/stat.h>

#include "engine/error.h"
#include "io/checkpoint_file.h"
#include "io/file.h"
#include "io/file_label.h"
#include "io/frame_trace_file.h"
#include "io/image_file.h"
#include "io/recording/is_recording.h"
#include "io/results_file.h"
#include "io/timeline_file.h"

namespace io {

namespace {

using engine::ConfigError;

bool is_results(const std::filesystem::path& path) {
    return has_label(path, results_kind());
}

// The first line of resolved.toml.
bool is_machine(const std::filesystem::path& path) {
    constexpr std::string_view start = "# tessera ";
    std::string found(start.size(), '\0');
    found.resize(read_bytes(open_for_reading(path), std::as_writable_bytes(std::span(found)), path));
    return found == start;
}

std::string_view kind_of(mode_t mode) {
    if (S_ISLNK(mode)) return "a link";
    if (S_ISDIR(mode)) return "a folder";
    if (S_ISFIFO(mode)) return "a pipe";
    if (S_ISSOCK(mode)) return "a socket";
    return "a device";
}

bool is_same_or_within(const std::filesystem::path& inner, const std::filesystem::path& outer) {
    const auto [at, rest] = std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end());
    (void)rest;
    return at == outer.end();
}

}  // namespace

const OutputKind trace_output{"a frame trace", &FrameTraceFile::recognises};
const OutputKind recording_output{"a recording", &is_recording};
const OutputKind results_output{"Tessera results", &is_results};
const OutputKind timeline_output{"a timeline of Tessera", &is_timeline};
const OutputKind machine_output{"a machine as Tessera writes it", &is_machine};
const OutputKind image_output{"an image that Tessera wrote", &is_image_file};
const OutputKind checkpoint_output{"a checkpoint of Tessera", &is_checkpoint};

std::optional<std::filesystem::path> input_within(const std::filesystem::path& path,
                                                  const std::vector<std::filesystem::path>& inputs) {
    std::error_code error;
    const std::filesystem::path outer = std::filesystem::weakly_canonical(path, error);
    for (const std::filesystem::path& input : inputs) {
        if (std::filesystem::equivalent(path, input, error)) return input;  // by another name, too
        if (is_same_or_within(std::filesystem::weakly_canonical(input, error), outer)) return input;
    }
    return std::nullopt;
}

bool check_output(const std::filesystem::path& path, const OutputKind& kind, const OutputPolicy& policy) {
    struct stat found{};
    if (::lstat(path.c_str(), &found) != 0) {
        if (errno != ENOENT) throw_io_error(path, "write", errno);
        return false;
    }
    const std::string name = path.string();
    if (!S_ISREG(found.st_mode))
        throw ConfigError(name + " is " + std::string(kind_of(found.st_mode)) + ", which is never replaced; expected " +
                          kind.name + " or nothing there");
    if (input_within(path, policy.inputs)) throw ConfigError(name + " is read by this command; write to another file");
    if (!policy.force) throw ConfigError(name + " exists; --force replaces it");
    if (!kind.recognises(path))
        throw ConfigError(name + " is not " + kind.name +
                          ", and --force replaces nothing else; remove it yourself, or " + "write to another file");
    return true;
}

OutputFile::OutputFile(std::filesystem::path path, const OutputKind& kind, const OutputPolicy& policy)
    : path_(std::move(path)),
      existing_(check_output(path_, kind, policy) ? Existing::replace : Existing::keep),
      lock_(OutputLock::of_file(path_)) {
    remove_unfinished(path_);
    const NewFile probe(path_);  // throws where nothing can be written
}

}  // namespace io
