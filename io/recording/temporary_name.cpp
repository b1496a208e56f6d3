#include "io/recording/temporary_name.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <ctime>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <sys/random.h>
#include <unistd.h>

namespace io {

namespace {

constexpr std::string_view unfinished = ".tessera-";
constexpr std::size_t random_letters = 6;
constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz234567";  // 32: five bits of a random byte

// More names than this at a time are removed with their objects only.
constexpr std::size_t slots = 64;

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): a signal handler sees nothing else
std::array<std::atomic<const char*>, slots> names;
static_assert(std::atomic<const char*>::is_always_lock_free);
std::atomic<pid_t> owner = 0;  // a child between fork and exec must not remove its parent's files
constexpr int no_delay = 0, no_signal_yet = -1;
std::atomic<int> delayed = no_delay;  // or the signal that came during the delay
static_assert(std::atomic<int>::is_always_lock_free);
std::mutex one_delay;
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

// The newest first: what is in a folder goes before the folder. Only calls that a signal handler may make. A second
// time after a moment, since another thread may have been about to create what has a name already; on a busy machine it
// may have lost the CPU there for some milliseconds.
void remove_all_names() {
    std::array<const char*, slots> taken{};
    const auto remove = [&taken] {
        for (std::size_t i = slots; i-- > 0;) {
            if (const char* const name = names[i].exchange(nullptr); name != nullptr) taken[i] = name;
            if (taken[i] != nullptr && ::unlink(taken[i]) != 0) ::rmdir(taken[i]);
        }
    };
    remove();
    const timespec moment{0, 50'000'000};
    ::nanosleep(&moment, nullptr);
    remove();
}

// True if the signal is raised again when the delay is over, or another one that came before it.
bool is_delayed(int signal) {
    int before = no_signal_yet;
    return delayed.compare_exchange_strong(before, signal) || before != no_delay;
}

void end_by(int signal) {
    const int before = errno;
    if (owner.load() == ::getpid()) {
        if (is_delayed(signal)) return;
        remove_all_names();
    }
    std::signal(signal, SIG_DFL);
    std::raise(signal);  // ends the program when this handler returns
    errno = before;
}

// What it is an unfinished name of; empty: none.
std::string_view finished_name(std::string_view name) {
    const std::size_t ending = unfinished.size() + random_letters;
    if (name.size() <= ending) return {};
    const std::size_t at = name.size() - ending;
    if (!name.substr(at).starts_with(unfinished)) return {};
    if (name.find_first_not_of(letters, at + unfinished.size()) != std::string_view::npos) return {};
    return name.substr(0, at);
}

}  // namespace

std::filesystem::path unfinished_name(const std::filesystem::path& path) {
    std::array<unsigned char, random_letters> random{};
    if (::getrandom(random.data(), random.size(), 0) != static_cast<ssize_t>(random.size()))
        throw std::system_error(errno, std::generic_category(), "getrandom");
    std::string name = path.string() + std::string(unfinished);
    for (const unsigned char byte : random) name += letters[byte % letters.size()];
    return name;
}

bool is_unfinished(const std::filesystem::path& path) noexcept {
    std::error_code error;
    return !finished_name(path.filename().native()).empty() &&
           std::filesystem::symlink_status(path, error).type() == std::filesystem::file_type::regular;
}

void remove_unfinished(const std::filesystem::path& path) noexcept {
    std::error_code error;
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
    for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
        if (is_unfinished(entry->path()) &&
            finished_name(entry->path().filename().native()) == path.filename().native())
            ::unlink(entry->path().c_str());
}

TemporaryName::TemporaryName(const std::filesystem::path& path) : path_(new char[path.native().size() + 1]) {
    std::strcpy(path_.get(), path.c_str());
    for (std::size_t i = 0; i < slots && slot_ < 0; ++i) {
        const char* expected = nullptr;
        if (names[i].compare_exchange_strong(expected, path_.get())) slot_ = static_cast<int>(i);
    }
}

TemporaryName::TemporaryName(TemporaryName&& other) noexcept
    : path_(std::move(other.path_)),
      slot_(std::exchange(other.slot_, -1)) {}

TemporaryName& TemporaryName::operator=(TemporaryName&& other) noexcept {
    if (this != &other) {
        remove();
        path_ = std::move(other.path_);
        slot_ = std::exchange(other.slot_, -1);
    }
    return *this;
}

void TemporaryName::remove() noexcept {
    if (empty()) return;
    if (::unlink(path_.get()) != 0) ::rmdir(path_.get());
    keep();
}

void TemporaryName::keep() noexcept {
    if (!forget()) (void)path_.release();  // the handler reads it; the program ends
    path_.reset();
}

bool TemporaryName::forget() noexcept {
    const int slot = std::exchange(slot_, -1);
    return slot < 0 || names[static_cast<std::size_t>(slot)].exchange(nullptr) != nullptr;
}

SignalDelay::SignalDelay() : only_one_(one_delay) {
    delayed = no_signal_yet;
}

SignalDelay::~SignalDelay() {
    if (const int signal = delayed.exchange(no_delay); signal != no_signal_yet) std::raise(signal);
}

void remove_temporary_names_at_signals() {
    owner = ::getpid();
    struct sigaction action{};
    action.sa_handler = end_by;
    sigemptyset(&action.sa_mask);
    for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2, SIGTERM, SIGXCPU}) {
        struct sigaction before{};
        sigaction(signal, nullptr, &before);
        if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);  // as nohup wants it
    }
    std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace io
