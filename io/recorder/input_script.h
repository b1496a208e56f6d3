// What a player does while an application is recorded: xdotool commands, each after a given picture. The application
// waits for its swap of buffers meanwhile, so the same input reaches the same picture in every recording.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "io/recorder/process.h"

namespace io {

struct InputStep {
    std::uint64_t picture = 0;       // after this one, counted from 1
    std::vector<std::string> words;  // what xdotool gets: "key", "Return"
};

class InputScript {
  public:
    // `steps` in the order of their pictures. `environment` has the DISPLAY.
    InputScript(std::vector<InputStep> steps, Environment environment)
        : steps_(std::move(steps)),
          environment_(std::move(environment)) {}

    // Plays what comes after picture number `picture` or before and was not played yet; from any thread. Throws
    // engine::ConfigError if xdotool refuses it.
    void play(std::uint64_t picture);

  private:
    std::mutex mutex_;
    std::vector<InputStep> steps_;
    std::size_t next_ = 0;
    Environment environment_;
};

}  // namespace io
