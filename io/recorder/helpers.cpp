#include "io/recorder/helpers.h"

#include <array>
#include <cerrno>
#include <fstream>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "engine/error.h"
#include "io/recorder/vtest_socket.h"
#include "io/recorder/x_authority.h"

namespace io {
namespace {

constexpr std::chrono::seconds patience{20};  // for a program to come up on a busy machine

Descriptor open_log(const std::filesystem::path& path) {
    Descriptor log{::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)};
    if (!log.is_open()) fail_with_errno("cannot create " + path.string());
    return log;
}

std::string last_line_of(const std::filesystem::path& path) {
    std::ifstream file{path};
    std::string last;
    for (std::string line; std::getline(file, line);)
        if (!line.empty()) last = line;
    return last;
}

void require(const std::string& program, const std::string& package) {
    if (find_program(program).empty())
        throw engine::ConfigError(program + " is not installed: apt-get install --no-install-recommends " + package);
}

Launch renderer_launch(const std::filesystem::path& socket, const Descriptor& output) {
    require("virgl_test_server", "virgl-server");
    Environment environment = software_rendering("llvmpipe");
    environment.set("LP_NUM_THREADS", "1");
    environment.unset("DISPLAY");
    return {.command = {"virgl_test_server", "--use-egl-surfaceless", "--socket-path=" + socket.string()},
            .environment = environment,
            .output = output.number()};
}

}  // namespace

Environment software_rendering(const std::string& driver) {
    Environment environment = Environment::inherited();
    for (const char* name : {"LD_PRELOAD", "MESA_LOADER_DRIVER_OVERRIDE", "LIBGL_ALWAYS_INDIRECT",
                             "MESA_GL_VERSION_OVERRIDE", "MESA_GLES_VERSION_OVERRIDE", "MESA_EXTENSION_OVERRIDE",
                             "EGL_PLATFORM", "DRI_PRIME", "WAYLAND_DISPLAY", "XAUTHORITY"})
        environment.unset(name);
    environment.set("LIBGL_ALWAYS_SOFTWARE", "1");
    environment.set("GALLIUM_DRIVER", driver);
    environment.set("MESA_SHADER_CACHE_DISABLE", "true");
    environment.set("mesa_glthread", "false");
    environment.set("__GLX_VENDOR_LIBRARY_NAME", "mesa");
    const std::filesystem::path vendor = "/usr/share/glvnd/egl_vendor.d/50_mesa.json";
    if (std::filesystem::exists(vendor)) environment.set("__EGL_VENDOR_LIBRARY_FILENAMES", vendor);
    return environment;
}

// Of its sockets only the abstract one, which Mesa's clients try first: it has no file to leave behind.
Display::Display(ScreenSize size, const std::filesystem::path& folder) : authority_(folder / "Xauthority") {
    require("Xvfb", "xvfb");
    write_x_authority(authority_);
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail_with_errno("cannot start Xvfb");
    const Descriptor number{ends[0]};
    Descriptor report{ends[1]};
    const auto log = folder / "Xvfb.log";
    const Descriptor output = open_log(log);
    const std::string screen = std::to_string(size.width) + "x" + std::to_string(size.height) + "x24";
    process_.emplace(Launch{.command = {"Xvfb", "-displayfd", std::to_string(report.number()), "-screen", "0", screen,
                                        "-nolisten", "tcp", "-nolisten", "unix", "-auth", authority_, "-noreset"},
                            .environment = software_rendering("llvmpipe"),
                            .output = output.number(),
                            .inherited = report.number()});
    report.close();
    await_number(number.number(), log);
}

void Display::await_number(int pipe, const std::filesystem::path& log) {
    const auto give_up = std::chrono::steady_clock::now() + patience;
    std::string text;
    while (std::chrono::steady_clock::now() < give_up) {
        pollfd state{pipe, POLLIN, 0};
        if (::poll(&state, 1, 100) <= 0) continue;
        char letter = 0;
        if (::read(pipe, &letter, 1) != 1) break;
        if (letter == '\n') {
            number_ = std::stoi(text);
            return;
        }
        text += letter;
    }
    throw engine::ConfigError("Xvfb does not start: " + last_line_of(log));
}

Renderer::Renderer(const std::filesystem::path& folder)
    : socket_(folder / "renderer.sock"),
      log_(folder / "virgl_test_server.log"),
      output_(open_log(log_)),
      process_(renderer_launch(socket_, output_)) {}

std::string Renderer::last_words() const {
    return last_line_of(log_);
}

const std::string& Renderer::dropping() {
    std::ifstream file{log_};
    file.seekg(searched_);
    for (std::string line; std::getline(file, line) && !file.eof();) {  // lines that have ended
        searched_ = file.tellg();
        if (dropping_.empty() && line.find("context error reported") != std::string::npos) dropping_ = line;
    }
    return dropping_;
}

Descriptor Renderer::connect() const {
    const auto give_up = std::chrono::steady_clock::now() + patience;
    while (std::chrono::steady_clock::now() < give_up) {
        if (Descriptor connection = connect_to(socket_); connection.is_open()) return connection;
        pollfd state{process_.watch(), POLLIN, 0};
        if (::poll(&state, 1, 10) > 0) break;
    }
    throw engine::IoError("virgl_test_server does not start: " + last_words());
}

}  // namespace io
