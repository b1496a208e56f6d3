// Files through their descriptors: every failure is an engine::IoError that names the file and what the system said.
// Knows nothing of what is in a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

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

// A file that appears under its name only when it is complete: written beside it under a temporary name, then forced to
// the disk and renamed by commit(). Without commit() nothing is left behind.
class NewFile {
  public:
    explicit NewFile(std::filesystem::path path);
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;
    ~NewFile() { discard(); }

    void write(std::span<const std::byte> bytes);
    std::uint64_t size() const { return size_; }
    void truncate(std::uint64_t size);
    void commit();
    void discard() noexcept;
    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
    std::string temporary_;
    Descriptor file_;
    std::uint64_t size_ = 0;
};

}  // namespace io
