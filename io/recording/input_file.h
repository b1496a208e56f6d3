// Files that came from elsewhere: only regular files are opened, and what they are is told by their first bytes, not by
// their names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "io/recording/file.h"

namespace io {

// Refuses folders, devices, pipes and sockets before anything is read from them, and never waits for a writer. Throws
// engine::IoError.
Descriptor open_input(const std::filesystem::path& path);

std::uint64_t size_of(const Descriptor& file, const std::filesystem::path& path);

// "54 45 53 53 (Tessera results: `tessera digest` and `tessera compare` read them)" for the first bytes of a file (32 of
// them tell all kinds known here apart); without the part in parentheses where the kind is unknown.
std::string describe_content(std::span<const std::byte> first);

}  // namespace io
