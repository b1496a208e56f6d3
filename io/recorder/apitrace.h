// Recording what an apitrace file holds: calls of an OpenGL or OpenGL ES application, taken down with `apitrace trace`
// on another machine, a phone for one. Debian's package apitrace has the programs that play it; what they draw is
// recorded like any application's.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace io {

struct ApitraceReplay {
    std::vector<std::string> command;  // plays the file once and ends
    std::uint64_t frames = 0;          // pictures in the file
};

// Throws engine::ConfigError if the programs or what they need are missing, engine::IoError if the file cannot be read,
// engine::InputError if it is no apitrace, has no complete picture, or is of another interface than OpenGL (Direct3D).
ApitraceReplay replay_of(const std::filesystem::path& trace);

// Of what `apitrace info` prints about the file; `replay_of` without the programs.
ApitraceReplay replay_described_by(const std::string& info, const std::filesystem::path& trace);

}  // namespace io
