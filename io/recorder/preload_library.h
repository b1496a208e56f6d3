// The library that is loaded into the application (folder preload/).
#pragma once

#include <filesystem>

namespace io {

// Beside the program, in the library folder it is installed with, or where the build puts it; nowhere else. Throws
// engine::ConfigError if it is in none of them, or if a user could have put it there or changed it who could not have
// changed the program.
std::filesystem::path find_preload(const std::filesystem::path& program = "/proc/self/exe");

}  // namespace io
