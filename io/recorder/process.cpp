#include "io/recorder/process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/error.h"

namespace io {
namespace {

std::vector<char*> pointers_to(std::vector<std::string>& words) {
    std::vector<char*> pointers;
    pointers.reserve(words.size() + 1);
    for (std::string& text : words) pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

// Everything the child does between fork and exec, without allocating; returns errno if it fails.
int become(const Launch& launch, const char* program, char* const* arguments, char* const* variables, pid_t parent) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);  // the recorder died before the line above
    sigset_t none;
    sigemptyset(&none);
    ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
    std::signal(SIGPIPE, SIG_DFL);
    const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing < 0 || ::dup2(nothing, STDIN_FILENO) < 0) return errno;
    if (launch.output >= 0 && (::dup2(launch.output, STDOUT_FILENO) < 0 || ::dup2(launch.output, STDERR_FILENO) < 0))
        return errno;
    if (launch.inherited >= 0 && ::fcntl(launch.inherited, F_SETFD, 0) < 0) return errno;
    if (launch.fixed_addresses) {
        const int now = ::personality(0xffffffff);
        if (now >= 0) ::personality(static_cast<unsigned long>(now) | ADDR_NO_RANDOMIZE);
    }
    if (launch.no_new_privileges && ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
    ::execve(program, arguments, variables);
    return errno;
}

std::vector<pid_t> children_of(pid_t parent) {
    std::vector<pid_t> children;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator{"/proc", ignored}) {
        const std::string name = entry.path().filename();
        if (!std::ranges::all_of(name, [](char letter) { return letter >= '0' && letter <= '9'; })) continue;
        std::ifstream file{entry.path() / "stat"};
        std::string line;
        std::getline(file, line);
        const std::size_t end_of_name = line.rfind(')');
        if (end_of_name == std::string::npos) continue;
        std::istringstream rest{line.substr(end_of_name + 1)};
        char state = 0;
        pid_t its_parent = 0;
        if (rest >> state >> its_parent && its_parent == parent) children.push_back(std::stoi(name));
    }
    std::ranges::sort(children);
    return children;
}

bool group_is_gone(pid_t group) {
    return ::kill(-group, 0) != 0 && errno == ESRCH;
}

}  // namespace

Environment Environment::inherited() {
    Environment environment;
    for (char** variable = environ; *variable != nullptr; ++variable) {
        const std::string text = *variable;
        const std::size_t equals = text.find('=');
        if (equals != std::string::npos) environment.set(text.substr(0, equals), text.substr(equals + 1));
    }
    return environment;
}

std::string Environment::get(const std::string& name) const {
    const auto found = variables_.find(name);
    return found == variables_.end() ? "" : found->second;
}

std::vector<std::string> Environment::as_list() const {
    std::vector<std::string> list;
    for (const auto& [name, value] : variables_) list.emplace_back(name).append("=").append(value);
    return list;
}

std::filesystem::path find_program(const std::string& name) {
    const auto runs = [](const std::filesystem::path& path) {
        return ::access(path.c_str(), X_OK) == 0 && std::filesystem::is_regular_file(path);
    };
    if (name.find('/') != std::string::npos) return runs(name) ? std::filesystem::path{name} : std::filesystem::path{};
    std::istringstream folders{Environment::inherited().get("PATH") + ":" + games_folder};
    for (std::string folder; std::getline(folders, folder, ':');)
        if (!folder.empty() && runs(std::filesystem::path{folder} / name)) return std::filesystem::path{folder} / name;
    return {};
}

Process::Process(const Launch& launch) {
    const std::filesystem::path program = find_program(launch.command.at(0));
    if (program.empty()) throw engine::ConfigError(launch.command[0] + ": command not found");
    std::vector<std::string> words = launch.command;
    std::vector<std::string> variables = launch.environment.as_list();
    const std::vector<char*> arguments = pointers_to(words);
    const std::vector<char*> environment = pointers_to(variables);
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail_with_errno("cannot start " + launch.command[0]);
    const Descriptor result{ends[0]};
    Descriptor report{ends[1]};
    const pid_t parent = ::getpid();
    id_ = ::fork();
    if (id_ < 0) fail_with_errno("cannot start " + launch.command[0]);
    if (id_ == 0) {
        const int code = become(launch, program.c_str(), arguments.data(), environment.data(), parent);
        [[maybe_unused]] const ssize_t written = ::write(report.number(), &code, sizeof code);
        ::_exit(127);
    }
    ::setpgid(id_, id_);  // whoever comes first
    report.close();
    watch_ = Descriptor{static_cast<int>(::syscall(SYS_pidfd_open, id_, 0))};
    int code = 0;
    ssize_t count = 0;
    do {
        count = ::read(result.number(), &code, sizeof code);
    } while (count < 0 && errno == EINTR);
    if (count == sizeof code || !watch_.is_open()) {
        if (count != sizeof code) code = errno;
        stop();
        throw engine::ConfigError("cannot start " + launch.command[0] + ": " + std::generic_category().message(code));
    }
}

bool Process::ended() {
    if (!status_) {
        int status = 0;
        if (::waitpid(id_, &status, WNOHANG) == id_) status_ = status;
    }
    return status_.has_value();
}

std::string Process::how_it_ended() const {
    if (!status_) return "";
    if (WIFEXITED(*status_)) return "exit code " + std::to_string(WEXITSTATUS(*status_));
    const int number = WTERMSIG(*status_);
    return "signal " + std::to_string(number) + " (" + ::sigdescr_np(number) + ")";
}

void Process::stop(std::chrono::milliseconds patience) noexcept {
    if (id_ <= 0 || stopped_) return;
    stopped_ = true;
    ::kill(-id_, SIGTERM);
    const auto give_up = std::chrono::steady_clock::now() + patience;
    const auto gone = [&] {  // a child that was not reaped would keep its group alive
        while (ended() && ::waitpid(-id_, nullptr, WNOHANG) > 0) {
        }
        return group_is_gone(id_);
    };
    while (!gone()) {
        const auto now = std::chrono::steady_clock::now();
        if (now > give_up + std::chrono::seconds{5}) break;  // stuck inside the system
        if (now > give_up) ::kill(-id_, SIGKILL);
        std::this_thread::sleep_for(std::chrono::milliseconds{5});
    }
}

OrphanCollector::OrphanCollector() : older_(children_of(::getpid())) {
    ::prctl(PR_GET_CHILD_SUBREAPER, &was_collecting_);
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
}

OrphanCollector::~OrphanCollector() {
    for (int round = 0; round < 100; ++round) {  // killing one may hand us its children
        bool any = false;
        for (const pid_t child : children_of(::getpid())) {
            if (std::ranges::binary_search(older_, child)) continue;
            any = true;
            ::kill(child, SIGKILL);
            ::waitpid(child, nullptr, 0);
        }
        if (!any) break;
    }
    ::prctl(PR_SET_CHILD_SUBREAPER, was_collecting_);
}

std::string output_of(const std::vector<std::string>& command) {
    if (find_program(command[0]).empty()) return "";
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return "";
    const Descriptor output{ends[0]};
    Descriptor input{ends[1]};
    Environment environment = Environment::inherited();
    environment.unset("LD_PRELOAD");
    environment.set("LC_ALL", "C");
    Process process{{.command = command, .environment = environment, .output = input.number()}};
    input.close();
    std::string text;
    std::array<char, 4096> part{};
    for (ssize_t size = 0; (size = ::read(output.number(), part.data(), part.size())) > 0;)
        text.append(part.data(), static_cast<std::size_t>(size));
    while (!process.ended()) ::usleep(1000);
    return process.succeeded() ? text : "";
}

}  // namespace io
