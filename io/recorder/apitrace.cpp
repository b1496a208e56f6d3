#include "io/recorder/apitrace.h"

#include <cerrno>
#include <charconv>
#include <system_error>

#include <dlfcn.h>
#include <unistd.h>

#include "engine/error.h"
#include "io/recorder/process.h"

namespace io {
namespace {

// What stands behind the last `"key": `, for file names come first in that text; "" if there is none.
std::string value_of(const std::string& key, const std::string& info) {
    const std::string label = "\"" + key + "\": ";
    const std::size_t at = info.rfind(label);
    if (at == std::string::npos) return "";
    std::string value = info.substr(at + label.size(), info.find('\n', at) - at - label.size());
    std::erase_if(value, [](char letter) { return letter == '"' || letter == ','; });
    return value;
}

std::uint64_t as_count(const std::string& text) {
    std::uint64_t count = 0;
    std::from_chars(text.data(), text.data() + text.size(), count);
    return count;
}

void require_readable(const std::filesystem::path& trace) {
    std::error_code failed;
    if (std::filesystem::is_directory(trace, failed)) throw engine::IoError(trace.string() + ": is a folder");
    if (::access(trace.c_str(), R_OK) != 0)
        throw engine::IoError("cannot read " + trace.string() + ": " + std::generic_category().message(errno));
}

// eglretrace opens libraries by the names that Debian has in packages for developers only; without them it cannot call
// anything.
void require_library(const char* name, const char* package) {
    void* const library = ::dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    if (library == nullptr)
        throw engine::ConfigError(std::string(name) + ", which eglretrace opens, is not installed: " +
                                  "apt-get install --no-install-recommends " + package);
    ::dlclose(library);
}

}  // namespace

ApitraceReplay replay_described_by(const std::string& info, const std::filesystem::path& trace) {
    const std::string interface = value_of("API", info);
    const std::uint64_t frames = as_count(value_of("FramesCount", info));
    const bool opengl = interface.starts_with("OpenGL");
    if (!opengl && !interface.empty() && interface != "Unknown API")
        throw engine::InputError(trace.string() + ": expected calls of OpenGL or OpenGL ES, found " + interface);
    if (frames == 0)
        throw engine::InputError(trace.string() + ": expected an apitrace with at least one complete picture, found " +
                                 (opengl ? "none: was it cut short?" : "another kind of file"));
    const std::string player = interface.find("EGL") != std::string::npos ? "eglretrace" : "glretrace";
    const bool option_like = trace.string().starts_with("-");
    return {.command = {player, option_like ? "./" + trace.string() : trace.string()}, .frames = frames};
}

ApitraceReplay replay_of(const std::filesystem::path& trace) {
    require_readable(trace);
    for (const char* program : {"apitrace", "glretrace", "eglretrace"})
        if (find_program(program).empty())
            throw engine::ConfigError(std::string(program) +
                                      " is not installed: apt-get install --no-install-recommends apitrace");
    ApitraceReplay replay =
        replay_described_by(output_of({"apitrace", "info", std::filesystem::absolute(trace).string()}), trace);
    if (replay.command.front() == "eglretrace") {
        require_library("libEGL.so", "libegl-dev");
        require_library("libGLESv2.so", "libgles-dev");
    }
    return replay;
}

}  // namespace io
