// Files through their descriptors: every failure is an engine::IoError that names the file and what the system said.
// Knows nothing of what is in a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "io/recording/temporary_name.h"

namespace io {

// Owns one descriptor of the operating system.
class Descriptor {
  public:
    Descriptor() = default;
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept;
    Descriptor& operator=(Descriptor&& other) noexcept;
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { close(); }

    int number() const { return number_; }
    bool is_open() const { return number_ >= 0; }
    void close() noexcept;

  private:
    int number_ = -1;
};

// "what: No space left on device", from errno. Throws engine::IoError.
[[noreturn]] void fail_with_errno(const std::string& what);

Descriptor open_for_reading(const std::filesystem::path& path);

// Fills as much of `bytes` as the file still has; less than asked only at the end of the file.
std::size_t read_bytes(const Descriptor& file, std::span<std::byte> bytes, const std::filesystem::path& path);

// What becomes of a file that has the name of a new one when the new one is complete.
enum class Existing { keep, replace };

// A file that appears under its name only when it is complete: written under an unfinished one (temporary_name.h), then
// forced to the disk and renamed by commit(). Without commit() nothing is left behind, but for a program killed with
// SIGKILL. Links are never followed: what commit() replaces is the name.
class NewFile {
  public:
    explicit NewFile(std::filesystem::path path, Existing existing = Existing::replace);

    void write(std::span<const std::byte> bytes);
    std::uint64_t size() const { return size_; }  // of what write() wrote
    void truncate(std::uint64_t size);
    // Throws IoError too when the file must keep another that has taken the name since, and says where it is.
    void commit();
    void discard() noexcept;

    const std::filesystem::path& path() const { return path_; }
    // Where the file is until commit(), for libraries that open files by name.
    const std::filesystem::path& working_path() const { return working_path_; }
    // The text of an error, with the file's own name in place of the working path.
    std::string in_own_name(std::string text) const;

  private:
    bool move_to_free_name() const;

    std::filesystem::path path_;
    Existing existing_;
    std::filesystem::path working_path_;
    TemporaryName name_;  // before there is a file, or a signal between the two would leave it
    Descriptor file_;
    std::uint64_t size_ = 0;
};

}  // namespace io
