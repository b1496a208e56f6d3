// Recordings as commands take them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

namespace experiments {

// The decompressed stream (io::load_recording). A note on standard error says so if the recording has no checksums.
std::vector<std::byte> open_recording(const std::filesystem::path& path);

}  // namespace experiments
