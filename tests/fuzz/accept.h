// What fuzz targets share. A target calls a reader with arbitrary bytes: the reader takes them or throws one of the
// errors that are made for users; anything else ends the process, which is what libFuzzer looks for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

#include "engine/error.h"

namespace tests {

// True if `work` went through, false if it refused its input.
template <class Work>
bool accepts(const Work& work) {
    try {
        work();
        return true;
    } catch (const engine::InputError&) {
    } catch (const engine::ConfigError&) {
    } catch (const engine::IoError&) {
    }
    return false;
}

// A file without a folder, for readers that take a path.
class MemoryFile {
  public:
    explicit MemoryFile(std::span<const std::byte> bytes) : file_(memfd_create("fuzz", MFD_CLOEXEC)) {
        for (std::size_t done = 0; done < bytes.size();) {
            const ssize_t count = ::write(file_, bytes.data() + done, bytes.size() - done);
            if (count <= 0) __builtin_trap();
            done += static_cast<std::size_t>(count);
        }
    }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    ~MemoryFile() { ::close(file_); }

    std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

  private:
    int file_;
};

// Takes bytes one number after another; zeros when there are none left.
class Numbers {
  public:
    explicit Numbers(std::span<const std::byte> bytes) : bytes_(bytes) {}

    bool empty() const { return bytes_.empty(); }
    std::span<const std::byte> rest() const { return bytes_; }
    template <class T>
    T take() {
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < sizeof(T) && !bytes_.empty(); ++i, bytes_ = bytes_.subspan(1))
            value |= std::to_integer<std::uint64_t>(bytes_[0]) << (8 * i);
        return static_cast<T>(value);
    }

  private:
    std::span<const std::byte> bytes_;
};

}  // namespace tests
