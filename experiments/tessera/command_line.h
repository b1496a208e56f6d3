// Options that several commands share, and the command line as it was given.
#pragma once

#include <string>

#include "experiments/tessera/frame_range.h"
#include "experiments/tessera/options.h"
#include "io/progress.h"

namespace experiments {

void add_threads_option(Command& command, int& threads,
                        const std::string& by_default = "all cores this process may use");
void add_frames_option(Command& command, FrameRange& frames, const std::string& whose = "");
void add_undefined_as_zero_option(Command& command, bool& undefined_as_zero);
void add_progress_option(Command& command, std::string& style);
io::Progress::Style parse_progress(const std::string& style);

// The program's own command line, quoted for a shell.
std::string command_line();

}  // namespace experiments
