// One writer at a time: a lock for what a command writes, held until the object goes or the program ends, however.
#pragma once

#include <filesystem>

#include "io/recording/file.h"
#include "io/recording/temporary_name.h"

namespace io {

// The lock is one of the operating system (flock) on a file of its own: ".NAME.tessera-lock" beside a file, and
// ".tessera-lock" in a folder. The file goes with the lock; one that a program killed with SIGKILL left is taken over.
// File systems without such locks are written to without: files still appear whole, the last one written stays.
class OutputLock {
  public:
    static OutputLock of_file(const std::filesystem::path& file);
    static OutputLock of_folder(const std::filesystem::path& folder);

    void release() noexcept;  // before the object goes

  private:
    // Throws engine::IoError that names the holder if `what` is locked.
    OutputLock(const std::filesystem::path& lock, const std::filesystem::path& what);

    Descriptor file_;  // goes last: the name must not be taken over before it is removed
    TemporaryName name_;
};

}  // namespace io
