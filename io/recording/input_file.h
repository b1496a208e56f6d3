// Files that came from elsewhere: only regular files are opened, and what they are is told by their first bytes, not by
// their names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "io/recording/file.h"

namespace io {

// Refuses folders, devices, pipes and sockets before anything is read from them, and never waits for a writer. Throws
// engine::IoError.
Descriptor open_input(const std::filesystem::path& path);

std::uint64_t size_of(const Descriptor& file, const std::filesystem::path& path);

// What the first bytes of a file (32 of them tell all kinds known here apart) say it is, and what to do with it:
// "Tessera results: `tessera digest` and `tessera compare` read them"; empty where the kind is unknown, or a text.
std::string_view kind_of_content(std::span<const std::byte> first);

// "54 45 53 53 (Tessera results: `tessera digest` and `tessera compare` read them)", "an empty file"
std::string describe_content(std::span<const std::byte> content);

}  // namespace io
