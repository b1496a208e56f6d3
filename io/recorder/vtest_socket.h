// The socket applications find the recorder at. Knows nothing of what is said over it.
#pragma once

#include <cstddef>
#include <filesystem>

#include "io/recording/file.h"

namespace io {

inline constexpr const char* mesa_socket = "/tmp/.virgl_test";  // built into Mesa's virpipe driver
inline constexpr std::size_t longest_socket_path = 107;         // bytes

// Listens at a path to programs of the same user, and removes it at the end. Of several recorders at one path only the
// first gets it. A socket that a program left behind when it died is replaced; one that somebody still answers is
// refused with engine::IoError.
class ListeningSocket {
  public:
    explicit ListeningSocket(std::filesystem::path path);
    ListeningSocket(const ListeningSocket&) = delete;
    ListeningSocket& operator=(const ListeningSocket&) = delete;
    ~ListeningSocket();

    int number() const { return socket_.number(); }  // readable when somebody connects
    Descriptor accept() const;

  private:
    std::filesystem::path path_;
    Descriptor reservation_;  // an abstract socket: the system gives it up with the process, whatever happens
    Descriptor socket_;
};

// Connects to a path; a descriptor that is not open if nobody answers there (yet). Throws engine::IoError otherwise.
Descriptor connect_to(const std::filesystem::path& path);

}  // namespace io
