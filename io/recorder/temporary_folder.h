// A folder of the recorder's own below the system's folder for temporary files, that nobody else may look into.
//
// It is locked while it lives. What a recorder that was killed has left behind is not: the next recorder of the same
// user removes it.
#pragma once

#include <filesystem>
#include <string_view>

#include "io/recording/file.h"

namespace io {

class TemporaryFolder {
  public:
    // `longest_socket`: of the sockets' names in it. Throws engine::IoError, before anything is made, if there is no
    // such system's folder or its path is too long for that socket, and names the variable that says where it is.
    explicit TemporaryFolder(std::string_view longest_socket);
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder();
    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
    Descriptor lock_;
};

}  // namespace io
