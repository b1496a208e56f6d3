// What a command may write, and what of it may replace something: decided here for all commands.
//
//  - Without --force nothing is replaced.
//  - With it, files that are Tessera's own and of the kind to be written are, and only when the new ones are complete.
//  - Never: links, devices, pipes, sockets and folders, and what the command reads.
//
// All of it is found out, and that the place can be written to, before anything is computed. Mistakes are
// engine::ConfigError, what the file system refuses is engine::IoError.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/output_lock.h"
#include "io/recording/file.h"

namespace io {

struct OutputKind {
    std::string name;                                       // "a frame trace"
    bool (*recognises)(const std::filesystem::path& path);  // a regular file: is it one of ours?
};

// A frame trace, a recording, results, a timeline, a machine as it was simulated, an image, a checkpoint.
extern const OutputKind trace_output, recording_output, results_output, timeline_output, machine_output, image_output,
    checkpoint_output;

struct OutputPolicy {
    bool force = false;
    std::vector<std::filesystem::path> inputs;  // what the command reads; what is not there is nobody's input
};

// Throws unless the path is free or may be replaced by a file of this kind. True: there is one that will be replaced.
bool check_output(const std::filesystem::path& path, const OutputKind& kind, const OutputPolicy& policy);

// The input that is this file or lies in this folder, if one is.
std::optional<std::filesystem::path> input_within(const std::filesystem::path& path,
                                                  const std::vector<std::filesystem::path>& inputs);

// A file that a command will write, from before it computes anything until it is done.
class OutputFile {
  public:
    OutputFile(std::filesystem::path path, const OutputKind& kind, const OutputPolicy& policy);

    const std::filesystem::path& path() const { return path_; }
    Existing existing() const { return existing_; }  // for the NewFile

  private:
    std::filesystem::path path_;
    Existing existing_;
    OutputLock lock_;
};

}  // namespace io
