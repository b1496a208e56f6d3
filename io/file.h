// Files that appear whole or not at all: written as PATH.tmp, synchronised, renamed to PATH, and the folder
// synchronised. Whoever opens PATH at any moment, also after a crash, sees the old contents or the complete new ones.
//
// For files that a library writes by name; io/recording/file.h is the same for files written by us byte by byte. Every
// failure is an engine::IoError with the path, what was being done and the system's reason.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace io {

// "cannot write results/results.h5: No space left on device"
[[noreturn]] void throw_io_error(const std::filesystem::path& path, std::string_view action, int error_number);

class PendingFile {
  public:
    explicit PendingFile(std::filesystem::path path);
    PendingFile(const PendingFile&) = delete;
    PendingFile& operator=(const PendingFile&) = delete;
    ~PendingFile();  // deletes the temporary file unless commit() succeeded

    const std::filesystem::path& path() const { return path_; }
    const std::filesystem::path& temporary() const { return temporary_; }

    // Call after the last write has been closed.
    void commit();

  private:
    std::filesystem::path path_, temporary_;
    bool committed_ = false;
};

// A whole file, by the same steps.
void write_file(const std::filesystem::path& path, std::string_view contents);

// The whole file; IoError too when it holds more than `most` bytes.
std::string read_file(const std::filesystem::path& path, std::size_t most);

// Creates the folder and its parents if absent.
void create_folder(const std::filesystem::path& path);

bool exists(const std::filesystem::path& path);

// Removes the file, or the folder with everything in it, if it is there.
void remove_tree(const std::filesystem::path& path);

}  // namespace io
