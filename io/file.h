// Whole files and folders by name; io/recording/file.h has files byte by byte. Every failure is an engine::IoError with
// the path, what was being done and the system's reason.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "io/recording/file.h"

namespace io {

// "cannot write results/results.h5: No space left on device"
[[noreturn]] void throw_io_error(const std::filesystem::path& path, std::string_view action, int error_number);

// A whole file, as NewFile writes it.
void write_file(const std::filesystem::path& path, std::string_view contents, Existing existing = Existing::replace);

// The whole file; IoError too when it holds more than `most` bytes.
std::string read_file(const std::filesystem::path& path, std::size_t most);

// Creates the folder and its parents if absent.
void create_folder(const std::filesystem::path& path);

bool exists(const std::filesystem::path& path);

}  // namespace io
