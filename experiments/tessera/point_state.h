// What is known of a point of a sweep, in a file of its own beside the point's log. Whoever runs the point writes it,
// and everybody reads it: so the points of a sweep may be run on many nodes that share nothing but the file system.
#pragma once

#include <filesystem>
#include <string>

namespace experiments {

struct PointState {
    enum class Kind { waiting, running, done, stopped, failed };

    Kind kind = Kind::waiting;
    double seconds = 0;  // of all starts since the point began anew
    int exit_code = 0;
    std::string message;  // why it is not done
    std::string host;     // who runs it
    long process = 0;
};

const char* name_of(PointState::Kind kind);

// Of a point that nobody has run: waiting. One that says it is running, but of which nothing has been heard for some
// minutes, or whose process on this host is gone, was killed: it is waiting, too.
PointState read_point_state(const std::filesystem::path& file);

// Appears whole. Throws engine::IoError.
void write_point_state(const std::filesystem::path& file, const PointState& state);

// To be told of a point that is running, at least once in `sign_of_life` seconds.
inline constexpr int sign_of_life = 30;
void show_sign_of_life(const std::filesystem::path& file) noexcept;

}  // namespace experiments
