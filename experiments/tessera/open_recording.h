// Recordings as commands take them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace experiments {

// The decompressed stream (io::load_recording). A note on standard error says so if the recording has no checksums.
std::vector<std::byte> open_recording(const std::filesystem::path& path);

// Tells recordings apart, however they are called and compressed.
std::string digest_of_recording(std::span<const std::byte> stream);

// That of the recording which this trace is of. Empty: the trace is not there, or does not know.
std::string digest_of_traced_recording(const std::filesystem::path& trace);

}  // namespace experiments
