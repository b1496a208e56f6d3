#include "experiments/tessera/sweep.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <utility>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/parameter.h"
#include "engine/threads/stop_request.h"
#include "experiments/tessera/resume.h"
#include "experiments/tessera/sweep_table.h"
#include "io/file.h"

namespace experiments {

namespace {

std::string in_seconds(double seconds) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3f", seconds);
    return text;
}

}  // namespace

SweepRun::SweepRun(io::Sweep sweep, std::filesystem::path folder)
    : sweep_(std::move(sweep)),
      folder_(std::move(folder)),
      check_(sweep_.frames),
      states_(sweep_.points.size()) {}

bool SweepRun::has_checkpoint(std::size_t number) const {
    std::error_code error;
    return std::filesystem::exists(folder_of(number) / "checkpoint", error);
}

// Whether results are complete is only seen by opening them. Where that is done for all points again and again, one
// that says it is done, and has results, is believed.
PointState SweepRun::look_at(std::size_t number, Look look) const {
    PointState state = read_point_state(state_of(number));
    std::error_code error;
    const bool done = look == Look::at_states && state.kind == Kind::done
                          ? std::filesystem::exists(folder_of(number) / "results.h5", error)
                          : has_complete_results(folder_of(number));
    if (done) {
        state.kind = Kind::done;
        state.exit_code = 0;
        state.message.clear();
    } else if (state.kind == Kind::done) {
        state = {};
    }
    if (state.kind == Kind::waiting && has_checkpoint(number)) state.kind = Kind::stopped;
    if (state.kind == Kind::stopped && !has_checkpoint(number)) state = {};
    return state;
}

void SweepRun::look_at_all(Look look) {
    for (std::size_t i = 0; i < states_.size(); ++i) states_[i] = look_at(i, look);
}

void SweepRun::check_what_is_there(std::size_t number) {
    const Kind kind = states_[number].kind;
    if (kind == Kind::done || kind == Kind::stopped) check_.check(sweep_.points[number], folder_of(number));
}

void SweepRun::list() {
    look_at_all(Look::at_results);
    for (std::size_t i = 0; i < states_.size(); ++i)
        std::printf("%zu\t%s\t%s\n", i, name_of(states_[i].kind), sweep_.points[i].name.c_str());
}

std::vector<std::size_t> SweepRun::left() {
    look_at_all(Look::at_results);
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i < states_.size(); ++i)
        if (states_[i].kind != Kind::done && states_[i].kind != Kind::running) left.push_back(i);
    return left;
}

std::size_t SweepRun::number_of(const std::string& point) const {
    if (std::all_of(point.begin(), point.end(), [](unsigned char c) { return std::isdigit(c) != 0; })) {
        const std::size_t number = point.size() > 9 ? states_.size() : std::stoul(point);
        if (number >= states_.size())
            throw engine::ConfigError("--point: expected a number below " + std::to_string(states_.size()) +
                                      ", found " + point);
        return number;
    }
    std::vector<std::string> names;
    for (std::size_t i = 0; i < states_.size(); ++i) {
        if (sweep_.points[i].name == point) return i;
        names.push_back(sweep_.points[i].name);
    }
    const std::string near = engine::nearest(point, names);
    throw engine::ConfigError("--point: the sweep has no point called '" + point + "'" +
                              (near.empty() ? "" : ", did you mean '" + near + "'?") + "; --list names them");
}

double SweepRun::seconds_left() const {
    return seconds_ - engine::seconds_since(began_);
}

std::vector<std::string> SweepRun::command_of(std::size_t number) const {
    const io::SweepPoint& point = sweep_.points[number];
    std::vector<std::string> command{"/proc/self/exe", "run"};
    if (has_checkpoint(number)) {
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
    // However little is left, a run gets a little further.
    if (std::isfinite(seconds_))
        command.insert(command.end(), {"--stop-after", in_seconds(std::max(seconds_left(), 0.001)) + " s"});
    return command;
}

// Nothing, if there is nothing to run or another one has it.
void SweepRun::begin(std::size_t number) {
    Running point;
    try {
        point.lock.emplace(io::OutputLock::of_file(state_of(number)));
    } catch (const engine::IoError& error) {
        if (alone_) throw;
        PointState& state = states_[number];
        state = look_at(number, Look::at_results);
        if (state.kind == Kind::running)
            state.message = "by process " + std::to_string(state.process) + " on " + state.host;
        else if (state.kind != Kind::done)
            state = {Kind::failed, 0, static_cast<int>(error.code()), error.what(), {}, 0};
        return say(number);
    }
    PointState& state = states_[number];
    state = look_at(number, Look::at_results);  // by now: others may have been faster
    if (state.kind == Kind::done) return;
    point.seconds_before = has_checkpoint(number) ? state.seconds : 0;
    state = {Kind::running, point.seconds_before, 0, {}, {}, 0};
    write_point_state(state_of(number), state);
    point.began = point.last_sign = Clock::now();
    point.process = start(number);
    running_.emplace(number, std::move(point));
}

pid_t SweepRun::start(std::size_t number) {
    std::vector<std::string> command = command_of(number);
    std::vector<char*> arguments;
    for (std::string& argument : command) arguments.push_back(argument.data());
    arguments.push_back(nullptr);
    const std::string log = log_of(number).string();
    const int kept = has_checkpoint(number) ? O_APPEND : O_TRUNC;
    const pid_t parent = ::getpid();
    std::fflush(stdout);
    const pid_t process = ::fork();
    if (process < 0) throw engine::IoError(std::string("cannot start a process: ") + std::strerror(errno));
    if (process == 0) {
        // Who loses its sweep stops with a checkpoint.
        ::prctl(PR_SET_PDEATHSIG, SIGTERM);
        const int file = ::open(log.c_str(), O_WRONLY | O_CREAT | kept | O_CLOEXEC, 0666);
        if (::getppid() != parent || file < 0 || ::dup2(file, 1) < 0 || ::dup2(file, 2) < 0) ::_exit(4);
        ::setpgid(0, 0);  // what a terminal sends is for the sweep, which passes it on
        ::execv(arguments[0], arguments.data());
        ::_exit(4);
    }
    return process;
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
    const auto found = running_.extract(number);  // its lock goes at the end
    const Running& point = found.mapped();
    PointState& state = states_[number];
    state.seconds = point.seconds_before + engine::seconds_since(point.began);
    state.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (state.exit_code == 0) {
        state.kind = Kind::done;
    } else if (stopping_ && WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM) {
        state.kind = has_checkpoint(number) ? Kind::stopped : Kind::waiting;  // it had not begun
    } else if (state.exit_code == static_cast<int>(engine::ExitCode::stopped)) {
        state.kind = Kind::stopped;
        state.message = "stopped with a checkpoint";
    } else {
        state.kind = Kind::failed;
        state.message = last_error(number);
        if (state.message.empty())
            state.message = WIFSIGNALED(status) ? std::string("killed by SIG") + sigabbrev_np(WTERMSIG(status))
                                                : "exit code " + std::to_string(state.exit_code);
    }
    write_point_state(state_of(number), state);
    say(number);
}

void SweepRun::say(std::size_t number) const {
    const PointState& state = states_[number];
    const auto done =
        std::count_if(states_.begin(), states_.end(), [](const PointState& each) { return each.kind == Kind::done; });
    std::printf("%-7s %8.1f s  %s%s%s", name_of(state.kind), state.seconds, sweep_.points[number].name.c_str(),
                state.message.empty() ? "" : ": ", state.message.c_str());
    if (!alone_) std::printf("  (%td of %zu done)", done, states_.size());
    std::printf("\n");
    std::fflush(stdout);
}

void SweepRun::write_table() const {
    io::write_file(folder_ / "points.csv", sweep_table(sweep_, states_));
}

// Without a lock, which not every file system has among its nodes: the table is right because whoever writes it looks
// again, and once more writes it if a state has changed since. The last one to write has then seen every state.
void SweepRun::write_table_beside_others() {
    std::string written, now;
    do {
        look_at_all(Look::at_states);
        now = sweep_table(sweep_, states_);
        if (now == written) return;
        io::write_file(folder_ / "points.csv", now);
        written = now;
    } while (true);
}

void SweepRun::create_folders() const {
    io::create_folder(logs());
}

engine::ExitCode SweepRun::run(int jobs, double seconds) {
    create_folders();
    const io::OutputLock lock = io::OutputLock::of_folder(folder_);  // one at a time
    std::vector<std::size_t> chosen;
    look_at_all(Look::at_results);
    for (std::size_t i = 0; i < states_.size(); ++i) {
        check_what_is_there(i);
        if (states_[i].kind != Kind::done) chosen.push_back(i);
    }
    if (chosen.empty()) std::printf("nothing is left: all of %zu points are done\n", states_.size());
    return run(chosen, jobs, seconds);
}

engine::ExitCode SweepRun::run_alone(const std::string& point, double seconds) {
    const std::size_t number = number_of(point);
    create_folders();
    alone_ = true;
    states_[number] = look_at(number, Look::at_results);
    check_what_is_there(number);
    if (states_[number].kind == Kind::done) std::printf("%s is done already\n", sweep_.points[number].name.c_str());
    const engine::ExitCode code = run({number}, 1, seconds);
    write_table_beside_others();
    return code;
}

engine::ExitCode SweepRun::run(const std::vector<std::size_t>& chosen, int jobs, double seconds) {
    seconds_ = seconds;
    began_ = Clock::now();
    const engine::StopRequest stop;
    std::vector<std::size_t> left(chosen.rbegin(), chosen.rend());
    bool changed = true;
    while (!left.empty() || !running_.empty()) {
        const bool told = stopping_;
        stopping_ = engine::StopRequest::requested() != 0;
        const bool too_late = seconds_left() <= 0 && left.size() < chosen.size();
        if (stopping_ || too_late) left.clear();
        while (!left.empty() && running_.size() < static_cast<std::size_t>(jobs)) {
            begin(left.back());
            left.pop_back();
            changed = true;
        }
        if (stopping_ && !told)
            for (const auto& [number, point] : running_) ::kill(point.process, SIGTERM);
        if (!alone_ && std::exchange(changed, false)) write_table();
        changed |= end_one();
    }
    if (!alone_) {
        for (const std::size_t number : chosen)  // what others began, and may have ended
            if (states_[number].kind == Kind::running) states_[number] = look_at(number, Look::at_results);
        write_table();
    }
    return exit_code(chosen);
}

// Waits for a moment; true if one has ended.
bool SweepRun::end_one() {
    if (running_.empty()) return false;
    int status = 0;
    const pid_t ended = ::waitpid(-1, &status, WNOHANG);
    const auto found =
        std::find_if(running_.begin(), running_.end(), [&](const auto& each) { return each.second.process == ended; });
    if (ended > 0 && found != running_.end()) {
        end(found->first, status);
        return true;
    }
    for (auto& [number, point] : running_)
        if (Clock::now() - point.last_sign > std::chrono::seconds(sign_of_life)) {
            show_sign_of_life(state_of(number));
            point.last_sign = Clock::now();
        }
    ::usleep(20'000);
    return false;
}

engine::ExitCode SweepRun::exit_code(const std::vector<std::size_t>& chosen) const {
    int worst = 0;
    bool stopped = false;
    for (const std::size_t number : chosen) {
        const PointState& state = states_[number];
        stopped |= state.kind == Kind::stopped || state.kind == Kind::waiting || state.kind == Kind::running;
        if (state.kind == Kind::failed) worst = std::max(worst, state.exit_code);
    }
    if (worst != 0) return static_cast<engine::ExitCode>(worst <= 4 ? worst : 1);
    return stopped ? engine::ExitCode::stopped : engine::ExitCode::done;
}

}  // namespace experiments
