#include "experiments/tessera/command_line.h"

#include <algorithm>
#include <vector>

#include "engine/threads/run_on_threads.h"
#include "experiments/tessera/number_option.h"
#include "io/file.h"

namespace experiments {

namespace {

std::string quoted(const std::string& argument) {
    const std::string plain = "-_=+./:,@%";
    const auto is_plain = [&](char c) {
        return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') ||
               plain.find(c) != std::string::npos;
    };
    if (!argument.empty() && std::all_of(argument.begin(), argument.end(), is_plain)) return argument;
    std::string text = "'";
    for (const char c : argument)
        if (c == '\'')
            text += "'\\''";
        else
            text += c;
    return text + "'";
}

}  // namespace

void add_undefined_as_zero_option(Command& command, bool& undefined_as_zero) {
    command.add_flag("--undefined-as-zero", undefined_as_zero,
                     "draw with shaders that read registers they never wrote, as zeros; refused otherwise (exit 3)");
}

void add_threads_option(Command& command, int& threads, const std::string& by_default) {
    command.add_option("--threads", threads, "threads [" + by_default + "]")
        .type_name("N")
        .check(whole_number(1, engine::most_threads));
}

void add_frames_option(Command& command, FrameRange& frames, const std::string& whose) {
    command
        .add_option_function(
            "--frames", [&frames](const std::string& text) { frames = parse_frame_range(text); },
            "frames A-B, A- or A" + whose + ", counted from 0 [all]")
        .type_name("A-B");
}

void add_progress_option(Command& command, std::string& style) {
    command.add_option("--progress", style, "auto (bar on a terminal, else log lines), bar, log or none [auto]")
        .one_of(io::Progress::style_names());
}

io::Progress::Style parse_progress(const std::string& style) {
    const std::vector<std::string> names = io::Progress::style_names();
    return static_cast<io::Progress::Style>(std::find(names.begin(), names.end(), style) - names.begin());
}

std::string command_line() {
    const std::string arguments = io::read_file("/proc/self/cmdline", std::size_t{1} << 22);
    std::string text;
    for (std::size_t at = 0; at < arguments.size();) {
        const std::size_t end = arguments.find('\0', at);
        text += (text.empty() ? "" : " ") + quoted(arguments.substr(at, end - at));
        if (end == std::string::npos) break;
        at = end + 1;
    }
    return text;
}

}  // namespace experiments
