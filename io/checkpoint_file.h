// The checkpoints of a run in its folder: the newest one, and the one before it, which is kept in case the newest one
// is damaged. A file is a label (file_label.h) and behind it what its writer gave, as it is.
//
// A checkpoint appears under its name only when it is complete and on the disk; a program that is killed leaves at
// least the one before.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "io/file_label.h"

namespace io {

FileKind checkpoint_kind();  // in the file's label

struct CheckpointPaths {
    std::filesystem::path newest, previous;
};

// The newest one becomes the previous one. Throws engine::IoError.
void write_checkpoint(const CheckpointPaths& paths, std::span<const std::byte> bytes);

struct StoredCheckpoint {
    std::filesystem::path path;  // of the one that was read
    std::vector<std::byte> bytes;
    std::string complaint;  // why it is not the newest one; empty if it is
};

// The newest one that is not damaged. Throws engine::InputError that says what is wrong with each if both are,
// engine::ConfigError if there is none, and engine::IoError.
StoredCheckpoint read_checkpoint(const CheckpointPaths& paths);

// True if the file's first bytes say so.
bool is_checkpoint(const std::filesystem::path& path);

}  // namespace io
