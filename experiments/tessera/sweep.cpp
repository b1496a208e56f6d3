#include "experiments/tessera/sweep.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <optional>
#include <span>
#include <utility>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/threads/stop_request.h"
#include "experiments/tessera/resume.h"
#include "io/output_lock.h"
#include "io/recording/file.h"

namespace experiments {

namespace {

constexpr std::array<const char*, 5> state_names{"waiting", "running", "done", "stopped", "failed"};

std::string csv(const std::string& text) {
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? std::string("\"\"") : c == '\n' ? std::string(" ") : std::string(1, c);
    return quoted + "\"";
}

}  // namespace

SweepRun::SweepRun(io::Sweep sweep, std::filesystem::path folder, int jobs)
    : sweep_(std::move(sweep)),
      folder_(std::move(folder)),
      jobs_(jobs),
      points_(sweep_.points.size()) {
    find_done();
}

void SweepRun::find_done() {
    for (std::size_t i = 0; i < points_.size(); ++i) {
        if (has_complete_results(folder_of(i)))
            points_[i].state = State::done;
        else if (std::error_code error; std::filesystem::exists(folder_of(i) / "checkpoint", error))
            points_[i].state = State::stopped;
    }
}

void SweepRun::list() const {
    for (std::size_t i = 0; i < points_.size(); ++i)
        std::printf("%zu\t%s\t%s\n", i, state_names[static_cast<std::size_t>(points_[i].state)],
                    sweep_.points[i].name.c_str());
}

std::vector<std::string> SweepRun::command_of(std::size_t number) const {
    const io::SweepPoint& point = sweep_.points[number];
    std::vector<std::string> command{"/proc/self/exe", "run"};
    if (points_[number].state == State::stopped) {
        command.insert(command.end(), {"--resume", folder_of(number).string()});
    } else {
        command.insert(command.end(),
                       {point.machine, point.workload.string(), "-o", folder_of(number).string(), "--force"});
        if (!sweep_.frames.empty()) command.insert(command.end(), {"--frames", sweep_.frames});
        for (const auto& [parameter, value] : point.settings)
            command.insert(command.end(), {"--set", parameter + "=" + value});
    }
    command.insert(command.end(), {"--threads", std::to_string(sweep_.threads), "--progress", "log"});
    if (!sweep_.checkpoint_every.empty())
        command.insert(command.end(), {"--checkpoint-every", sweep_.checkpoint_every});
    return command;
}

void SweepRun::start(std::size_t number) {
    std::vector<std::string> command = command_of(number);
    std::vector<char*> arguments;
    for (std::string& argument : command) arguments.push_back(argument.data());
    arguments.push_back(nullptr);
    const std::string log = log_of(number).string();
    const pid_t parent = ::getpid();
    Point& point = points_[number];
    point.began = std::chrono::steady_clock::now();
    std::fflush(stdout);
    point.process = ::fork();
    if (point.process < 0) throw engine::IoError(std::string("cannot start a process: ") + std::strerror(errno));
    if (point.process == 0) {
        // Who loses its sweep stops with a checkpoint.
        ::prctl(PR_SET_PDEATHSIG, SIGTERM);
        const int file = ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        if (::getppid() != parent || file < 0 || ::dup2(file, 1) < 0 || ::dup2(file, 2) < 0) ::_exit(4);
        ::setpgid(0, 0);  // what a terminal sends is for the sweep, which passes it on
        ::execv(arguments[0], arguments.data());
        ::_exit(4);
    }
    point.state = State::running;
}

// The last line of the log that tells of an error.
std::string SweepRun::last_error(std::size_t number) const {
    std::ifstream log(log_of(number));
    std::string found;
    for (std::string line; std::getline(log, line);)
        if (line.starts_with("error: ")) found = line.substr(7);
    return found;
}

void SweepRun::end(std::size_t number, int status) {
    Point& point = points_[number];
    point.process = 0;
    point.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - point.began).count();
    point.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (point.exit_code == 0) {
        point.state = State::done;
    } else if (stopping_ && WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM) {
        point.state = State::waiting;  // it had not begun
    } else if (point.exit_code == static_cast<int>(engine::ExitCode::stopped)) {
        point.state = State::stopped;
        point.message = "stopped with a checkpoint";
    } else {
        point.state = State::failed;
        point.message = last_error(number);
        if (point.message.empty())
            point.message = WIFSIGNALED(status) ? std::string("killed by SIG") + sigabbrev_np(WTERMSIG(status))
                                                : "exit code " + std::to_string(point.exit_code);
    }
    say(number);
}

void SweepRun::say(std::size_t number) const {
    const Point& point = points_[number];
    const auto done =
        std::count_if(points_.begin(), points_.end(), [](const Point& p) { return p.state == State::done; });
    std::printf("%-7s %8.1f s  %s%s%s  (%td of %zu done)\n", state_names[static_cast<std::size_t>(point.state)],
                point.seconds, sweep_.points[number].name.c_str(), point.message.empty() ? "" : ": ",
                point.message.c_str(), done, points_.size());
    std::fflush(stdout);
}

void SweepRun::write_table() const {
    std::string text = "point,machine,workload,frames";
    for (const std::string& parameter : sweep_.varied) text += "," + csv(parameter);
    text += ",state,seconds,exit_code,message\n";
    for (std::size_t i = 0; i < points_.size(); ++i) {
        const io::SweepPoint& point = sweep_.points[i];
        text +=
            csv(point.name) + "," + csv(point.machine) + "," + csv(point.workload.string()) + "," + csv(sweep_.frames);
        for (const std::string& parameter : sweep_.varied) {
            const auto found = std::find_if(point.settings.begin(), point.settings.end(),
                                            [&](const auto& setting) { return setting.first == parameter; });
            text += "," + (found == point.settings.end() ? "" : csv(found->second));
        }
        char seconds[32];
        std::snprintf(seconds, sizeof seconds, "%.3f", points_[i].seconds);
        text += "," + std::string(state_names[static_cast<std::size_t>(points_[i].state)]) + "," + seconds + "," +
                std::to_string(points_[i].exit_code) + "," + csv(points_[i].message) + "\n";
    }
    io::NewFile file(folder_ / "points.csv");
    file.write(std::as_bytes(std::span(text)));
    file.commit();
}

engine::ExitCode SweepRun::run(int only) {
    std::error_code error;
    std::filesystem::create_directories(folder_ / "logs", error);
    if (error) throw engine::IoError("cannot create " + (folder_ / "logs").string() + ": " + error.message());
    const bool alone = only < 0;
    if (!alone && static_cast<std::size_t>(only) >= points_.size())
        throw engine::ConfigError("--point: expected a number below " + std::to_string(points_.size()) + ", found " +
                                  std::to_string(only));
    // Of the whole sweep there is one at a time; single points, as batch jobs run them, keep out of each other's way.
    std::optional<io::OutputLock> lock;
    if (alone) lock.emplace(io::OutputLock::of_folder(folder_));

    const engine::StopRequest stop;
    std::vector<std::size_t> left;
    for (std::size_t i = points_.size(); i-- > 0;)
        if (points_[i].state != State::done && (alone || i == static_cast<std::size_t>(only))) left.push_back(i);
    const std::vector<std::size_t> chosen = left;
    std::vector<std::size_t> running;
    bool changed = true;
    while (!left.empty() || !running.empty()) {
        const bool told = stopping_;
        stopping_ = engine::StopRequest::requested() != 0;
        if (stopping_) left.clear();
        while (!left.empty() && running.size() < static_cast<std::size_t>(jobs_)) {
            start(left.back());
            running.push_back(left.back());
            left.pop_back();
            changed = true;
        }
        if (stopping_ && !told)
            for (const std::size_t number : running) ::kill(points_[number].process, SIGTERM);
        if (alone && changed) write_table();
        changed = false;
        if (running.empty()) break;
        int status = 0;
        const pid_t ended = ::waitpid(-1, &status, WNOHANG);
        if (ended <= 0) {
            ::usleep(20'000);
            continue;
        }
        const auto found = std::find_if(running.begin(), running.end(),
                                        [&](std::size_t number) { return points_[number].process == ended; });
        if (found == running.end()) continue;
        end(*found, status);
        changed = true;
        running.erase(found);
    }
    if (alone) write_table();
    int worst = 0;
    bool stopped = false;
    for (const std::size_t number : chosen) {
        stopped |= points_[number].state == State::stopped || points_[number].state == State::waiting;
        if (points_[number].state == State::failed) worst = std::max(worst, points_[number].exit_code);
    }
    if (worst != 0) return static_cast<engine::ExitCode>(worst <= 4 ? worst : 1);
    return stopped ? engine::ExitCode::stopped : engine::ExitCode::done;
}

}  // namespace experiments
