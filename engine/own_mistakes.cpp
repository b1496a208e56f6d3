#include "engine/own_mistakes.h"

#include <csignal>
#include <string_view>

#include <unistd.h>

#include "engine/error.h"

namespace engine {

namespace {

// Nothing but what a signal handler may do.
void answer(int /*signal*/) {
    constexpr std::string_view line =
        "error: this is a mistake of the program, not yours; please report it with the line above\n";
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
    ::_exit(static_cast<int>(ExitCode::internal));
}

}  // namespace

void answer_for_own_mistakes() {
    struct sigaction action{};
    action.sa_handler = answer;
    sigemptyset(&action.sa_mask);
    sigaction(SIGABRT, &action, nullptr);
}

}  // namespace engine
