// The programs that a recording needs around the application: an X server without a screen, and the renderer. They end
// with their objects and leave nothing in the file system; what they print goes to a log file in the recording's own
// folder.
#pragma once

#include <chrono>
#include <filesystem>
#include <ios>
#include <optional>
#include <string>

#include "io/recorder/process.h"

namespace io {

struct ScreenSize {
    int width = 1920;
    int height = 1080;  // pixels
};

// The variables that make a Mesa program render in software, the same way every time, and leave no cache behind.
Environment software_rendering(const std::string& driver);

// Xvfb at a free display number, for those alone who can read its authority file in `folder`. Throws
// engine::ConfigError if it is not installed or does not start.
class Display {
  public:
    Display(ScreenSize size, const std::filesystem::path& folder);

    std::string name() const { return ":" + std::to_string(number_); }     // DISPLAY
    const std::filesystem::path& authority() const { return authority_; }  // XAUTHORITY
    Process& process() { return *process_; }

  private:
    void await_number(int pipe, const std::filesystem::path& log);

    std::filesystem::path authority_;
    int number_ = -1;
    std::optional<Process> process_;
};

// virgl_test_server, rendering with llvmpipe. Throws engine::ConfigError if it is not installed.
class Renderer {
  public:
    explicit Renderer(const std::filesystem::path& folder);

    // A connection of its own renderer process. Waits until the program listens; throws engine::IoError if it ended.
    Descriptor connect() const;
    Process& process() { return process_; }
    std::string last_words() const;  // the last line of its log; "" if there is none
    // The first line in which it says that a connection's commands are wrong, or too much for it: it draws nothing of
    // what comes over that connection from then on. "" if there is none.
    const std::string& dropping();

  private:
    std::filesystem::path socket_;
    std::filesystem::path log_;
    Descriptor output_;
    Process process_;
    std::string dropping_;
    std::streamoff searched_ = 0;  // bytes of the log
};

}  // namespace io
