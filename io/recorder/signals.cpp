#include "io/recorder/signals.h"

#include <sys/signalfd.h>
#include <unistd.h>

namespace io {

SignalWatch::SignalWatch() {
    sigset_t watched;
    sigemptyset(&watched);
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaddset(&watched, number);
    ::pthread_sigmask(SIG_BLOCK, &watched, &before_);
    signals_ = Descriptor{::signalfd(-1, &watched, SFD_NONBLOCK | SFD_CLOEXEC)};
    if (!signals_.is_open()) {
        ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
        fail_with_errno("cannot watch for signals");
    }
}

bool SignalWatch::take() {
    bool any = false;
    signalfd_siginfo ignored{};
    while (::read(signals_.number(), &ignored, sizeof ignored) > 0) any = true;
    return any;
}

// An impatient second ^C must not kill the program while it puts the file in place.
SignalWatch::~SignalWatch() {
    take();
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace io
