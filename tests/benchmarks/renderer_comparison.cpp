// How fast our functional renderer is beside Mesa's: the frames of recordings, rendered by virgl_test_server on
// softpipe and on llvmpipe (the recorded messages are sent again) and by ours, in turns, so that a loaded machine slows
// all alike.
//
//     renderer_comparison [--runs N] [--skip N] RECORDING...
//
// A frame's time runs from its first message until its picture is read back; starting the server, connecting and
// compiling the shaders of skipped frames do not count. Per recording and renderer: milliseconds of a frame, the median
// and the best of the runs by the clock on the wall, the median of the processor time of all threads, and how many
// times as fast as softpipe that is. A host that serves others adds time and never takes any away, so where medians
// scatter the bests compare the programs. "traced" also says what a GPU has to do (models::Frame); files are not
// written.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <functional>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include <CLI/CLI.hpp>

#include "engine/error.h"
#include "io/recorder/helpers.h"
#include "io/recorder/vtest.h"
#include "io/recorder/vtest_socket.h"
#include "io/recording/recording.h"
#include "io/recording/temporary_folder.h"
#include "models/functional/renderer.h"

namespace {

struct Time {
    double wall = 0, processor = 0;  // seconds
};

double seconds_of(clockid_t clock) {
    timespec now{};
    if (clock_gettime(clock, &now) != 0) throw engine::IoError("cannot read a process's clock");
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Time now(clockid_t processor) {
    return {seconds_of(CLOCK_MONOTONIC), seconds_of(processor)};
}

Time operator-(const Time& a, const Time& b) {
    return {a.wall - b.wall, a.processor - b.processor};
}

using FrameTimes = std::vector<Time>;  // one for each frame of a run

// A server of our own without a fork, so that its clock is that of the rendering.
class Server {
  public:
    Server(const std::string& driver, int threads)
        : output_(io::open_for_reading("/dev/null")),
          process_(launch(driver, threads, folder_.path() / "socket", output_)) {
        for (int i = 0; i < 1000 && !connection_.is_open(); ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
            connection_ = io::connect_to(folder_.path() / "socket");
        }
        if (!connection_.is_open() || clock_getcpuclockid(process_.id(), &clock_) != 0)
            throw engine::IoError("virgl_test_server on " + driver + " does not start");
    }

    clockid_t clock() const { return clock_; }

    void say(std::span<const std::byte> message, io::Bytes& reply) const {
        if (!io::send_all(connection_.number(), message)) throw engine::IoError("virgl_test_server hung up");
        io::receive_reply(connection_.number(), message, reply);
    }

  private:
    static io::Launch launch(const std::string& driver, int threads, const std::filesystem::path& socket,
                             const io::Descriptor& output) {
        io::Environment environment = io::software_rendering(driver);
        environment.set("LP_NUM_THREADS", std::to_string(threads));
        environment.unset("DISPLAY");
        return {
            .command = {"virgl_test_server", "--no-fork", "--use-egl-surfaceless", "--socket-path=" + socket.string()},
            .environment = environment,
            .output = output.number()};
    }

    io::TemporaryFolder folder_;
    io::Descriptor output_;
    io::Process process_;
    io::Descriptor connection_;
    clockid_t clock_ = CLOCK_PROCESS_CPUTIME_ID;
};

// Offsets of the messages that end a frame, as our renderer takes them: it and the server are to agree on what a frame
// is, and waits that end none are told apart only by the state before.
std::vector<std::uint64_t> frame_ends(std::span<const std::byte> stream) {
    std::vector<std::uint64_t> ends;
    io::RecordingReader reader(stream);
    bool read_back = false;
    std::vector<std::uint32_t> windows;
    std::uint32_t read = 0;
    for (io::Record record; reader.next(record);) {
        if (record.kind != io::RecordKind::message) continue;
        const auto words = [&](std::size_t i) { return io::word(record.payload, i); };
        switch (io::command_of(record.payload)) {
            case io::VtestCommand::resource_create:
                if ((words(io::field::create_bind) & 0x40080) != 0) windows.push_back(words(io::field::handle));
                read_back = false;
                break;
            case io::VtestCommand::transfer_get:
                read = words(io::field::handle);
                read_back = std::find(windows.begin(), windows.end(), read) != windows.end();
                break;
            case io::VtestCommand::resource_busy_wait:
                if (read_back && words(io::field::handle) == read) ends.push_back(record.offset);
                read_back = false;
                break;
            default:
                read_back = false;
        }
    }
    return ends;
}

FrameTimes run_mesa(std::span<const std::byte> stream, const std::string& driver, int threads) {
    const std::vector<std::uint64_t> ends = frame_ends(stream);
    const Server server(driver, threads);
    io::RecordingReader reader(stream);
    io::Bytes reply;
    FrameTimes times;
    Time start = now(server.clock());
    for (io::Record record; reader.next(record);) {
        if (record.kind != io::RecordKind::message) continue;
        server.say(record.payload, reply);
        if (std::binary_search(ends.begin(), ends.end(), record.offset)) {
            const Time end = now(server.clock());
            times.push_back(end - start);
            start = end;
        }
    }
    return times;
}

FrameTimes run_ours(std::span<const std::byte> stream, int threads, bool traced) {
    models::functional::FunctionalRenderer renderer(stream, {.threads = threads, .undefined_as_zero = true});
    models::Frame frame;
    models::functional::Image image;
    FrameTimes times;
    for (Time start = now(CLOCK_PROCESS_CPUTIME_ID);;) {
        const bool more = renderer.next_frame(traced ? &frame : nullptr, &image, nullptr);
        if (!more) return times;
        const Time end = now(CLOCK_PROCESS_CPUTIME_ID);
        times.push_back(end - start);
        start = end;
    }
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double best(const std::vector<double>& values) {
    return *std::min_element(values.begin(), values.end());
}

struct Contestant {
    const char* name;
    std::function<FrameTimes(std::span<const std::byte>)> run;
    std::vector<double> wall, processor;  // seconds of a frame, one for each run
};

std::vector<Contestant> contestants() {
    const auto mesa = [](const char* driver, int threads) {
        return [=](std::span<const std::byte> stream) { return run_mesa(stream, driver, threads); };
    };
    const auto ours = [](int threads, bool traced) {
        return [=](std::span<const std::byte> stream) { return run_ours(stream, threads, traced); };
    };
    return {{"softpipe", mesa("softpipe", 0), {}, {}},
            {"llvmpipe, no threads of its own", mesa("llvmpipe", 0), {}, {}},
            {"llvmpipe, 1 thread beside it", mesa("llvmpipe", 1), {}, {}},
            {"ours, 1 thread", ours(1, false), {}, {}},
            {"ours, 2 threads", ours(2, false), {}, {}},
            {"ours, 1 thread, traced", ours(1, true), {}, {}},
            {"ours, 2 threads, traced", ours(2, true), {}, {}}};
}

void compare(const std::string& path, int runs, std::size_t skip) {
    const std::vector<std::byte> stream = io::load_recording(path);
    std::vector<Contestant> all = contestants();
    std::size_t frames = 0;
    for (int run = 0; run < runs; ++run) {
        for (Contestant& contestant : all) {
            FrameTimes times = contestant.run(stream);
            if (times.size() <= skip) throw engine::ConfigError(path + ": has no frames but those skipped");
            times.erase(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(skip));
            frames = times.size();
            Time sum;
            for (const Time& time : times) {
                sum.wall += time.wall;
                sum.processor += time.processor;
            }
            contestant.wall.push_back(sum.wall / static_cast<double>(frames));
            contestant.processor.push_back(sum.processor / static_cast<double>(frames));
        }
    }
    std::printf("%s: %zu frames, %d runs\n", path.c_str(), frames, runs);
    const Contestant& softpipe = all[0];
    for (const Contestant& contestant : all) {
        const auto print = [&](const char* what, auto of, const std::vector<double> Contestant::* times) {
            const double seconds = of(contestant.*times);
            std::printf("  %9.2f ms %s (%6.2f x)", 1e3 * seconds, what, of(softpipe.*times) / seconds);
        };
        std::printf("  %-32s", contestant.name);
        print("wall", median, &Contestant::wall);
        print("best", best, &Contestant::wall);
        print("processor", median, &Contestant::processor);
        std::printf("\n");
    }
    std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
    CLI::App app{"Compares the speed of our functional renderer with Mesa's software renderers."};
    int runs = 5;
    std::size_t skip = 1;
    std::vector<std::string> recordings;
    app.add_option("--runs", runs, "runs of each renderer")->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--skip", skip, "frames at the start that are rendered and not counted")->capture_default_str();
    app.add_option("recordings", recordings, "recordings")->required();
    CLI11_PARSE(app, count, arguments);
    try {
        for (const std::string& recording : recordings) compare(recording, runs, skip);
    } catch (const engine::Error& error) {
        std::cerr << "renderer_comparison: " << error.what() << '\n';
        return 1;
    }
    return 0;
}
