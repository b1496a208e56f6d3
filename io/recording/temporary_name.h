// Names in the file system that shall not outlive the program: gone with the object, and gone too when a signal ends
// the program before that.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>

namespace io {

// "results.h5.tessera-4k2x9a" for "results.h5": a name that nothing else has, in the same folder. By its ending a file
// that was left by a program killed with SIGKILL can be told from a user's own.
std::filesystem::path unfinished_name(const std::filesystem::path& path);

// True for a regular file under such a name, of whatever file.
bool is_unfinished(const std::filesystem::path& path) noexcept;

// Removes what programs killed before have left of `path`: regular files under one of its unfinished names. Only for
// the one who has the lock of `path`.
void remove_unfinished(const std::filesystem::path& path) noexcept;

// One such name, of a file or of a folder that is empty by then.
class TemporaryName {
  public:
    TemporaryName() = default;
    explicit TemporaryName(const std::filesystem::path& path);
    TemporaryName(TemporaryName&& other) noexcept;
    TemporaryName& operator=(TemporaryName&& other) noexcept;
    TemporaryName(const TemporaryName&) = delete;
    TemporaryName& operator=(const TemporaryName&) = delete;
    ~TemporaryName() { remove(); }

    bool empty() const { return path_ == nullptr; }
    const char* c_str() const { return path_.get(); }
    void remove() noexcept;
    void keep() noexcept;  // the name stays, whatever happens

  private:
    bool forget() noexcept;  // false: a signal's handler has the name, and will use it

    std::unique_ptr<char[]> path_;  // stays where it is while a signal's handler may read it
    int slot_ = -1;
};

// While one lives, a signal that would end the program waits. For what is created before it can have a TemporaryName:
// a folder whose name mkdtemp chooses, or a lock, which may be another process's until it is ours. One at a time;
// another thread's waits.
class [[nodiscard]] SignalDelay {
  public:
    SignalDelay();
    SignalDelay(const SignalDelay&) = delete;
    SignalDelay& operator=(const SignalDelay&) = delete;
    ~SignalDelay();

  private:
    std::unique_lock<std::mutex> only_one_;
};

// From now on the signals that end the program (SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2, SIGTERM, SIGXCPU), unless
// ignored, remove all temporary names of this process before they do. A file that grows beyond its limit (SIGXFSZ) is
// an error of the write instead. Once, at the start of main().
void remove_temporary_names_at_signals();

}  // namespace io
