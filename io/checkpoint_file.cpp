#include "io/checkpoint_file.h"

#include <array>
#include <cerrno>
#include <cstdio>

#include "engine/error.h"
#include "io/file.h"

namespace io {

namespace {

std::vector<std::byte> read_one(const std::filesystem::path& path) {
    check_label(path, checkpoint_kind());
    const Descriptor file = open_for_reading(path);
    std::array<std::byte, label_bytes> label{};
    (void)read_bytes(file, label, path);
    std::vector<std::byte> bytes(std::filesystem::file_size(path) - label_bytes);
    bytes.resize(read_bytes(file, bytes, path));
    return bytes;
}

}  // namespace

FileKind checkpoint_kind() {
    return {"TESSERA CHECKPOINT ", "checkpoint", 1};
}

void write_checkpoint(const CheckpointPaths& paths, std::span<const std::byte> bytes) {
    NewFile file(paths.newest);
    file.write(std::array<std::byte, label_bytes>{});
    file.write(bytes);
    write_label(file.working_path(), checkpoint_kind());
    if (std::rename(paths.newest.c_str(), paths.previous.c_str()) != 0 && errno != ENOENT)
        throw_io_error(paths.newest, "keep", errno);
    file.commit();
}

StoredCheckpoint read_checkpoint(const CheckpointPaths& paths) {
    const bool newest = io::exists(paths.newest);
    if (!newest && !io::exists(paths.previous))
        throw engine::ConfigError(paths.newest.parent_path().string() +
                                  " holds no checkpoint; start the run anew, without --resume");
    std::string complaint = paths.newest.string() + ": it is not there";
    try {
        if (newest) return {paths.newest, read_one(paths.newest), ""};
    } catch (const engine::InputError& error) {
        if (!io::exists(paths.previous)) throw;
        complaint = error.what();
    }
    try {
        return {paths.previous, read_one(paths.previous), complaint};
    } catch (const engine::InputError& error) {
        throw engine::InputError(complaint + "; and the one before: " + error.what());
    }
}

bool is_checkpoint(const std::filesystem::path& path) {
    return has_label(path, checkpoint_kind());
}

}  // namespace io
