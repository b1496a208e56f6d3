// What ends a run, and the exit code it ends with. The user's mistakes are exceptions of these types, thrown before
// time zero; our own mistakes are assertions.
#pragma once

#include <stdexcept>
#include <string>

namespace engine {

enum class ExitCode : int {
    done = 0,
    internal = 1,  // an assertion, a failed check (--check), or the watchdog
    usage = 2,     // command line or configuration
    input = 3,     // corrupt or unsupported input
    io = 4,        // the file system or a socket failed
    stopped = 75,  // before its end, with a checkpoint to go on from (EX_TEMPFAIL: batch systems start it again)
};

// The message is one clear line: where (file:line:column or byte offset), what was expected, what was found, the
// remedy.
class Error : public std::runtime_error {
  public:
    Error(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
    ExitCode code() const { return code_; }

  private:
    ExitCode code_;
};

struct InternalError : Error {
    explicit InternalError(const std::string& message) : Error(ExitCode::internal, message) {}
};
struct ConfigError : Error {
    explicit ConfigError(const std::string& message) : Error(ExitCode::usage, message) {}
};
struct InputError : Error {
    explicit InputError(const std::string& message) : Error(ExitCode::input, message) {}
};
struct IoError : Error {
    explicit IoError(const std::string& message) : Error(ExitCode::io, message) {}
};

}  // namespace engine
