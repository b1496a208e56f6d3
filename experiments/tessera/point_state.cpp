#include "experiments/tessera/point_state.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <sstream>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "experiments/tessera/provenance.h"
#include "io/file.h"

namespace experiments {

namespace {

constexpr std::array<const char*, 5> names{"waiting", "running", "done", "stopped", "failed"};
constexpr auto longest_silence = std::chrono::seconds(4 * sign_of_life);

bool is_alive(const PointState& state, const std::filesystem::path& file) {
    std::error_code error;
    const auto last = std::filesystem::last_write_time(file, error);
    if (error || std::filesystem::file_time_type::clock::now() - last > longest_silence) return false;
    return state.host != host_name() || ::kill(static_cast<pid_t>(state.process), 0) == 0 || errno == EPERM;
}

}  // namespace

const char* name_of(PointState::Kind kind) {
    return names[static_cast<std::size_t>(kind)];
}

PointState read_point_state(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::string line, name;
    std::getline(file, line);
    std::istringstream words(line);
    PointState state;
    if (!(words >> name >> state.seconds >> state.exit_code >> state.host >> state.process)) return {};
    const auto* const found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) return {};
    state.kind = static_cast<PointState::Kind>(found - names.begin());
    std::getline(words >> std::ws, state.message);
    if (state.kind == PointState::Kind::running && !is_alive(state, path)) state.kind = PointState::Kind::waiting;
    return state;
}

void write_point_state(const std::filesystem::path& path, const PointState& state) {
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, "%.3f", state.seconds);
    std::string message = state.message;
    std::replace(message.begin(), message.end(), '\n', ' ');
    io::write_file(path, std::string(name_of(state.kind)) + " " + seconds + " " + std::to_string(state.exit_code) +
                             " " + host_name() + " " + std::to_string(::getpid()) + " " + message + "\n");
}

void show_sign_of_life(const std::filesystem::path& path) noexcept {
    ::utimensat(AT_FDCWD, path.c_str(), nullptr, 0);  // now, by the clock of the file system
}

}  // namespace experiments
