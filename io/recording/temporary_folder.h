// A folder of this process below the system's folder for temporary files, that no other user may look into.
//
// It goes with the object; when a signal ends the program, if it is empty by then (temporary_name.h). It is locked
// while it lives: the folder of a program killed with SIGKILL is not, and the next one that the same user makes removes
// it.
#pragma once

#include <filesystem>
#include <string_view>

#include "io/recording/file.h"
#include "io/recording/temporary_name.h"

namespace io {

class TemporaryFolder {
  public:
    // `longest_socket`: of the sockets' names in it, empty: it will have none. Throws engine::IoError, before anything
    // is made, if there is no such system's folder or its path is too long for that socket, and names the variable that
    // says where it is.
    explicit TemporaryFolder(std::string_view longest_socket = {});
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder();
    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
    TemporaryName name_;
    Descriptor lock_;
};

}  // namespace io
