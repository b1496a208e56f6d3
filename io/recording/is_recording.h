// Whether a file is a recording, by its first bytes, decompressed if they are.
#pragma once

#include <filesystem>

namespace io {

bool is_recording(const std::filesystem::path& path);

}  // namespace io
