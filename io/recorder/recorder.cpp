#include "io/recorder/recorder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "engine/error.h"
#include "io/cut/cut_file.h"
#include "io/recorder/connection.h"
#include "io/recorder/preload_library.h"
#include "io/recorder/provenance.h"
#include "io/recorder/signals.h"
#include "io/recorder/vtest_socket.h"
#include "io/recording/temporary_folder.h"

namespace io {
namespace {

constexpr const char* application_socket = "application.sock";  // the renderer's has a shorter name

void replace_all(std::string& text, const std::string& what, const std::string& by) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
        text.replace(at, what.size(), by);
}

std::string with_size(std::string text, ScreenSize size) {
    const std::string width = std::to_string(size.width);
    const std::string height = std::to_string(size.height);
    replace_all(text, "{width}", width);
    replace_all(text, "{height}", height);
    replace_all(text, "{size}", width + "x" + height);
    return text;
}

std::vector<std::string> resolve_command(const RecordOptions& options) {
    std::vector<std::string> command = options.command;
    for (std::string& argument : command) argument = with_size(argument, options.size);
    return command;
}

void write_home(const RecordOptions& options, const std::filesystem::path& home) {
    for (const auto& [name, text] : *options.home) {
        const std::filesystem::path path = home / name;
        std::filesystem::create_directories(path.parent_path());
        const std::string contents = with_size(text, options.size);
        NewFile file{path};
        file.write(std::as_bytes(std::span(contents)));
        file.commit();
    }
    std::filesystem::create_directories(home / ".run");
    std::filesystem::permissions(home / ".run", std::filesystem::perms::owner_all);
}

// For the application's clock, and to lead it away from Mesa's socket.
bool needs_preload(const RecordOptions& options) {
    return !options.real_time || options.private_socket;
}

void check(const RecordOptions& options) {
    const std::string name = options.output.string();
    if (!name.ends_with(".vtr") && !name.ends_with(".vtr.zst"))
        throw engine::ConfigError(name + ": a recording's name ends in .vtr or .vtr.zst");
    if (options.command.empty()) throw engine::ConfigError("no command to record; give it after --");
    if (find_program(options.command[0]).empty())
        throw engine::ConfigError(options.command[0] + ": command not found; is its package installed?");
    if (options.size.width < 1 || options.size.height < 1 || options.size.width > 16384 || options.size.height > 16384)
        throw engine::ConfigError("--size: width and height are 1 to 16384 pixels, found " +
                                  std::to_string(options.size.width) + "x" + std::to_string(options.size.height));
    if (options.frames > most_pictures || options.skip > most_pictures)
        throw engine::ConfigError("at most " + std::to_string(most_pictures) + " pictures can be skipped or recorded");
    if (!(options.frames_per_second >= 0.001 && options.frames_per_second <= 1e6))
        throw engine::ConfigError("--fps: expected 0.001 to 1e6 pictures per second");
    if (!options.input.empty() && find_program("xdotool").empty())
        throw engine::ConfigError("xdotool is not installed: apt-get install --no-install-recommends xdotool");
    if (needs_preload(options)) find_preload();
    const NewFile probe{options.output};  // can it be written at all?
}

std::string message_of(const std::exception_ptr& failure) {
    try {
        std::rethrow_exception(failure);
    } catch (const std::bad_alloc&) {
        return "not enough memory";
    } catch (const std::exception& error) {
        return error.what();
    }
}

template <class Error>
bool is_a(const std::exception_ptr& failure) {
    try {
        std::rethrow_exception(failure);
    } catch (const Error&) {
        return true;
    } catch (...) {
        return false;
    }
}

std::string pictures(std::uint64_t count) {
    return std::to_string(count) + (count == 1 ? " picture" : " pictures");
}

// Everything of one recording, in the order it is set up.
class Recorder {
  public:
    explicit Recorder(const RecordOptions& options);
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;
    ~Recorder() { stop(); }
    RecordReport run();

  private:
    enum class End { full, application, interrupted, failure };

    std::filesystem::path socket_path() const;
    Environment application_environment() const;
    Launch application_launch() const;
    End await_end();
    void wait_for_change();
    void accept();
    std::optional<End> ended();
    void stop() noexcept;
    RecordReport keep();
    void leave_out_skipped(RecordReport& report);
    [[noreturn]] void fail_incomplete(const RecordReport& report, End end);
    [[noreturn]] void fail_whole();
    // Whether the renderer draws nothing more. Of several connections it does not say whose commands it dropped.
    bool drops_all() { return connections_.size() == 1 && !renderer_.dropping().empty(); }
    [[noreturn]] void fail_dropped(const RecordReport& report);
    std::string with_skipped() const;
    std::string why_nothing_was_drawn(End end) const;

    const RecordOptions& options_;
    SignalWatch signals_;
    OrphanCollector orphans_;
    TemporaryFolder folder_{application_socket};
    Descriptor changes_;
    ListeningSocket socket_;
    Renderer renderer_;
    Display display_;
    std::vector<std::string> command_;
    RecordingOrigin origin_;
    InputScript input_;
    std::vector<std::unique_ptr<Connection>> connections_;
    Process application_;
    bool interrupted_ = false;
    bool application_ended_ = false;
    std::string complaint_;  // of End::failure
    bool application_is_wrong_ = false;
    std::exception_ptr not_cut_;  // why the skipped pictures could not be left out
};

Recorder::Recorder(const RecordOptions& options)
    : options_(options),
      changes_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)),
      socket_(socket_path()),
      renderer_(folder_.path()),
      display_(options.size, folder_.path()),
      command_(resolve_command(options)),
      origin_(recording_origin(options, command_)),
      input_(options.input, application_environment()),
      application_(application_launch()) {}

std::filesystem::path Recorder::socket_path() const {
    return options_.private_socket ? folder_.path() / application_socket : std::filesystem::path{mesa_socket};
}

// Without the library that is loaded into the application.
Environment Recorder::application_environment() const {
    Environment environment = software_rendering("virpipe");
    if (options_.home) {
        const std::filesystem::path home = folder_.path() / "home";
        std::filesystem::create_directories(home);
        environment.set("HOME", home);
        environment.set("XDG_CONFIG_HOME", home / ".config");
        environment.set("XDG_DATA_HOME", home / ".local/share");
        environment.set("XDG_CACHE_HOME", home / ".cache");
        environment.set("XDG_RUNTIME_DIR", home / ".run");
    }
    for (const auto& [name, value] : options_.environment) environment.set(name, value);
    environment.set("PATH", environment.get("PATH") + ":" + games_folder);  // for a command that starts others
    environment.set("DISPLAY", display_.name());
    environment.set("XAUTHORITY", display_.authority());
    environment.set("EGL_PLATFORM", "x11");
    environment.set("vblank_mode", "0");
    return environment;
}

Launch Recorder::application_launch() const {
    if (options_.home) write_home(options_, folder_.path() / "home");
    Environment environment = application_environment();
    if (!options_.real_time) {
        const double step = std::round(1e9 / options_.frames_per_second);
        environment.set("TESSERA_CLOCK_STEP_NS", std::to_string(static_cast<std::int64_t>(step)));
    }
    if (options_.private_socket) environment.set("TESSERA_VTEST_SOCKET", socket_path());
    if (needs_preload(options_)) {
        const std::string users_own = Environment::inherited().get("LD_PRELOAD");
        environment.set("LD_PRELOAD", find_preload().string() + (users_own.empty() ? "" : ":" + users_own));
    }
    return {.command = command_,
            .environment = environment,
            .fixed_addresses = true,
            .no_new_privileges = needs_preload(options_)};
}

RecordReport Recorder::run() {
    const End end = await_end();
    stop();
    RecordReport report = keep();
    if (drops_all()) fail_dropped(report);
    report.dropping = renderer_.dropping();
    if (report.frames > 0 && options_.skip > 0) leave_out_skipped(report);
    if (end == End::application && !application_.succeeded()) report.application_end = application_.how_it_ended();
    const bool satisfied = end == End::full || (options_.frames == 0 && report.frames > 0 && end != End::failure);
    if (!satisfied) fail_incomplete(report, end);
    if (not_cut_) fail_whole();
    return report;
}

Recorder::End Recorder::await_end() {
    for (;;) {
        if (const auto end = ended()) return *end;
        wait_for_change();
    }
}

void Recorder::wait_for_change() {
    std::array<pollfd, 6> watched{{{signals_.number(), POLLIN, 0},
                                   {socket_.number(), POLLIN, 0},
                                   {changes_.number(), POLLIN, 0},
                                   {renderer_.process().watch(), POLLIN, 0},
                                   {display_.process().watch(), POLLIN, 0},
                                   {application_.watch(), POLLIN, 0}}};
    // Once the application has ended, its descriptor is always readable: only its descendants are awaited then.
    const nfds_t count = application_ended_ ? watched.size() - 1 : watched.size();
    while (::poll(watched.data(), count, -1) < 0 && errno == EINTR) {
    }
    if (signals_.take()) interrupted_ = true;
    if (watched[1].revents != 0) accept();
    if (std::uint64_t ignored = 0; watched[2].revents != 0) [[maybe_unused]]
        const ssize_t size = ::read(changes_.number(), &ignored, sizeof ignored);
}

void Recorder::accept() {
    const SessionLimits limits{.gles = options_.gles, .skip = options_.skip, .frames = options_.frames};
    const auto changed = [this](const Connection& connection) {
        if (options_.on_frame && connection.running()) options_.on_frame(connection.frames());
        const std::uint64_t one = 1;
        [[maybe_unused]] const ssize_t size = ::write(changes_.number(), &one, sizeof one);
    };
    connections_.push_back(std::make_unique<Connection>(socket_.accept(), renderer_, options_.output, options_.existing,
                                                        origin_, limits, input_, changed));
}

std::optional<Recorder::End> Recorder::ended() {
    bool connected = false;
    for (const auto& connection : connections_) {
        if (connection->full()) return End::full;
        connected = connected || connection->running();
        if (connection->running() || !connection->failure()) continue;
        complaint_ = message_of(connection->failure());
        application_is_wrong_ = is_a<engine::InputError>(connection->failure());
        return End::failure;
    }
    if (interrupted_) return End::interrupted;
    if (drops_all()) return End::failure;
    if (renderer_.process().ended())
        complaint_ =
            "virgl_test_server ended with " + renderer_.process().how_it_ended() + ": " + renderer_.last_words();
    else if (display_.process().ended())
        complaint_ = "Xvfb ended with " + display_.process().how_it_ended();
    if (!complaint_.empty()) return End::failure;
    application_ended_ = application_.ended();
    if (application_ended_ && !connected) return End::application;
    return std::nullopt;
}

// The renderer before the connections: one that hangs would never let go of them.
void Recorder::stop() noexcept {
    application_.stop();
    renderer_.process().stop();
    for (const auto& connection : connections_) connection->finish();
    display_.process().stop();
}

RecordReport Recorder::keep() {
    RecordReport report;
    Connection* best = nullptr;
    for (const auto& connection : connections_) {
        if (connection->disk_failed()) std::rethrow_exception(connection->failure());
        report.other_frames += connection->frames();
        if (best == nullptr || connection->frames() > best->frames()) best = connection.get();
    }
    if (best == nullptr || best->frames() == 0) return report;
    best->writer().commit();
    report.frames = best->frames();
    report.other_frames -= best->frames();
    report.width = best->width();
    report.height = best->height();
    report.bytes = best->writer().size();
    return report;
}

// The recording stands under its name already, so nothing that happens here can lose it.
void Recorder::leave_out_skipped(RecordReport& report) {
    const auto on_drawn = [this](std::uint64_t drawn, std::uint64_t of) {
        if (signals_.take()) throw engine::InputError("interrupted");
        if (options_.on_drawn) options_.on_drawn(drawn, of);
    };
    try {
        const CutFileReport cut = cut_recording_file(load_recording(options_.output), options_.output, options_.output,
                                                     "behind the " + pictures(options_.skip) + " left out",
                                                     {.frames = {0, static_cast<std::uint32_t>(report.frames - 1)},
                                                      .threads = options_.threads,
                                                      .undefined_as_zero = options_.undefined_as_zero,
                                                      .on_drawn = on_drawn});
        report.bytes = cut.bytes;
        report.bytes_filled = cut.cut.bytes_filled;
        report.same_addresses = cut.cut.same_addresses;
    } catch (...) {
        not_cut_ = std::current_exception();
    }
}

std::string Recorder::why_nothing_was_drawn(End end) const {
    const std::string skipped = options_.skip > 0 ? " after the " + pictures(options_.skip) + " to skip" : "";
    if (end == End::interrupted) return "interrupted before the first complete picture" + skipped;
    if (end == End::failure) return complaint_;
    const std::string who = command_[0] + " ended with " + application_.how_it_ended();
    if (connections_.empty() && !application_.succeeded()) return who + " before it drew anything";
    if (connections_.empty())
        return who +
               " and drew nothing through Mesa's virpipe driver: is it an OpenGL or OpenGL ES program, and is "
               "libgl1-mesa-dri installed?";
    if (options_.skip > 0) return who + " and completed no picture" + skipped;
    return who + " and completed no picture: it ended too early, or draws only off-screen";
}

void Recorder::fail_incomplete(const RecordReport& report, End end) {
    std::string text;
    if (report.frames == 0) {
        text = why_nothing_was_drawn(end);
    } else {
        text = end == End::failure       ? complaint_
               : end == End::interrupted ? "interrupted"
                                         : command_[0] + " ended with " + application_.how_it_ended();
        text += "; " + options_.output.string() + " has the " + pictures(report.frames) + " completed before";
        if (options_.frames > 0) text += ", of " + std::to_string(options_.frames) + " asked for";
        if (not_cut_) text += ", " + with_skipped();
    }
    if (end == End::failure && !application_is_wrong_) throw engine::IoError(text);
    throw engine::InputError(text);
}

void Recorder::fail_dropped(const RecordReport& report) {
    std::string text = "virgl_test_server fails at what " + command_[0] +
                       " draws, and drops it from there on: " + renderer_.dropping();
    if (report.frames > 0)
        text += "; " + options_.output.string() + " has " + pictures(report.frames) +
                ", the last of which may lack what was dropped";
    throw engine::InputError(text);
}

void Recorder::fail_whole() {
    const std::string text = "the recording is kept whole, " + with_skipped();
    if (is_a<engine::IoError>(not_cut_)) throw engine::IoError(text);
    throw engine::InputError(text);
}

std::string Recorder::with_skipped() const {
    return "with what was drawn for the " + pictures(options_.skip) + " to skip: " + message_of(not_cut_);
}

}  // namespace

RecordReport record(const RecordOptions& options) {
    check(options);
    return Recorder{options}.run();
}

}  // namespace io
