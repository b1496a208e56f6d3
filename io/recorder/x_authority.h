// Who may connect to an X server: whoever can read a file with its secret (MIT-MAGIC-COOKIE-1), which server and
// clients are pointed to.
#pragma once

#include <filesystem>

namespace io {

// A new secret, for a server of any name and number, readable to the user alone. The path must not exist. Throws
// engine::IoError.
void write_x_authority(const std::filesystem::path& path);

}  // namespace io
