// Records what an OpenGL or OpenGL ES application draws: starts a display and a renderer, starts the application on
// Mesa's virpipe driver, sits between the two, and stops after the pictures asked for. Whatever happens, no process,
// socket or temporary file is left; what a recorder leaves that is killed, the next one removes.
//
// The application's clock advances by a fixed step per picture (preload/clock.h), so that what it animates by time is
// the same in every recording. What it draws at random, or from files that it changed the last time, may still differ.
//
// What was drawn for the pictures before the first one wanted is replaced by what it left: the recording is put under
// its name whole as soon as the application has ended, and then by the cut one (io/cut/cut.h). Where it cannot be cut,
// the whole one stays, whose traces are the same (RecordKind::skipped says what is left out of them).
//
// An application may have several connections to the renderer; the one with the most pictures becomes the recording. It
// has ended when its command has ended and no connection is open any more.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "io/recorder/caps.h"
#include "io/recorder/helpers.h"
#include "io/recorder/input_script.h"

namespace io {

inline constexpr std::uint64_t most_pictures = 1'000'000'000;  // to skip, and to record

struct RecordOptions {
    std::filesystem::path output;      // *.vtr or *.vtr.zst
    std::vector<std::string> command;  // {width}, {height} and {size} become those of the screen
    std::uint64_t frames = 0;          // pictures; 0: until the application ends
    std::uint64_t skip = 0;            // pictures before the first one
    GlesLevel gles = GlesLevel::gles2;
    ScreenSize size;
    double frames_per_second = 60;       // of the application's clock
    Existing existing = Existing::keep;  // what becomes of a file of that name
    bool real_time = false;              // leave the application its own clock
    std::string source{};                // the program that records, for the recording's origin; may be empty
    std::string workload{};              // its name in experiments/workloads; may be empty
    // A home of its own: an empty folder but for these files, by their path in it; {width}, {height} and {size} in
    // their texts become those of the screen. Not given: the user's.
    std::optional<std::map<std::string, std::string>> home{};
    std::map<std::string, std::string> environment{};  // of the application, besides what it needs for recording
    std::vector<InputStep> input{};                    // in the order of their pictures
    bool private_socket = false;     // several recordings at a time; otherwise Mesa's own socket, one at a time
    int threads = 0;                 // that draw the skipped pictures once more; 0: as many as the machine has
    bool undefined_as_zero = false;  // for these, as for `tessera trace`
    std::function<void(std::uint64_t frames)> on_frame;  // may be empty; called from another thread
    // May be empty: as many of the skipped pictures were drawn once more.
    std::function<void(std::uint64_t drawn, std::uint64_t of)> on_drawn{};
};

struct RecordReport {
    std::uint64_t frames = 0;
    std::uint32_t width = 0;
    std::uint32_t height = 0;        // pixels, of the last picture
    std::uint64_t bytes = 0;         // of the file
    std::uint64_t bytes_filled = 0;  // with what the skipped pictures left in textures and buffers
    bool same_addresses = true;      // as in the whole recording (CutReport)
    std::uint64_t other_frames = 0;  // pictures of further connections, which were not recorded
    std::string application_end;     // "exit code 1"; "" if the recorder ended it, or if it ended well
    // What the renderer said when it dropped the commands of a connection, of which there were several; else "".
    std::string dropping;
};

// Pictures that were complete before an interruption (SIGINT, SIGTERM, SIGHUP, SIGQUIT), a crash of the application or
// of the renderer are kept in the file; an interruption while it is cut leaves it whole. Throws
//   engine::ConfigError  `output` exists or has another suffix; a program is missing, with the package that has it
//   engine::IoError      the socket is in use, `output` cannot be written, the renderer failed
//   engine::InputError   the application drew nothing, or fewer pictures than asked for (those are kept); the renderer
//                        dropped the commands of its only connection (what was recorded until this was noticed is
//                        kept); the skipped pictures cannot be left out (the whole recording is kept)
RecordReport record(const RecordOptions& options);

}  // namespace io
