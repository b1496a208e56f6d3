// A recipe says how to record an application in play: which package has it, how it is started and driven, which
// pictures are wanted. TOML:
//
//     title = "Neverball: the first level, tilted"
//     packages = ["neverball"]           # of Debian, besides the recorder's own
//     command = ["neverball", "-l", "map-easy/easy.sol"]
//     size = "2160x1080"                 # of the display; {size}, {width}, {height} in command and files
//     gles = "2"                         # 2, 3 or full, as of `tessera record`
//     fps = 60
//     real_time = false                  # true: the real clock, for what cannot do without; every recording differs
//     skip = 120                         # pictures before the first one
//     frames = 4
//     environment = { SDL_AUDIODRIVER = "dummy" }
//     input = [[10, "tap", "Return"],    # after picture 10 for three pictures; "mouse1" is a button
//              [20, "mousemove", "9", "9"]]  # all else is for xdotool: mousemove, keydown, mousedown, search, ...
//     [files]                            # in a home folder that is the application's own and empty otherwise
//     ".neverball/neverballrc" = "width {width}"
//
// Only title, packages and command are required. A mistake is an engine::ConfigError FILE:LINE:COLUMN with what was
// expected, found and perhaps meant.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/recorder/recorder.h"

namespace io {

struct Recipe {
    std::string name;  // of the file, without its suffix
    std::string title;
    std::vector<std::string> packages;
    RecordOptions options;  // but for output and the like
};

Recipe read_recipe(const std::filesystem::path& path);

// Names of the recipes in the folder, sorted.
std::vector<std::string> recipe_names(const std::filesystem::path& folder);

// "2160x1080"; throws ConfigError that begins with `what`.
ScreenSize parse_screen_size(const std::string& text, const std::string& what);

}  // namespace io
