// A label in front of HDF5 content: what kind of file this is, its version, and the size and digest of the rest. HDF5
// looks for its own content behind it, so any HDF5 tool opens the file; we refuse a damaged one before HDF5, which does
// not survive every flipped bit, gets to see it.
//
// The first 512 bytes are text: "TESSERA RESULTS 1\ncontent BYTES xxh3-128 DIGEST\n", zeros after it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace io {

inline constexpr std::size_t label_bytes = 512;  // the user block to create the HDF5 file with

struct FileKind {
    std::string magic;  // "TESSERA RESULTS "
    std::string name;   // "results"
    int version;
    std::string remedy = "";  // for files of older versions: "make the file anew: ..."
};

// After the file has been closed.
void write_label(const std::filesystem::path& path, const FileKind& kind);

// Throws engine::InputError if the file is of another kind or version, truncated or damaged, engine::IoError if it
// cannot be read.
void check_label(const std::filesystem::path& path, const FileKind& kind);

// True if the file's first bytes say so.
bool has_label(const std::filesystem::path& path, const FileKind& kind);

}  // namespace io
