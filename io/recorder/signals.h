// SIGINT, SIGTERM, SIGHUP and SIGQUIT as something to poll for instead of something that ends the program, while this
// lives.
#pragma once

#include <csignal>

#include "io/recording/file.h"

namespace io {

class SignalWatch {
  public:
    SignalWatch();
    SignalWatch(const SignalWatch&) = delete;
    SignalWatch& operator=(const SignalWatch&) = delete;
    ~SignalWatch();
    int number() const { return signals_.number(); }  // readable when one came
    bool take();                                      // whether any came since the last time

  private:
    sigset_t before_{};
    Descriptor signals_;
};

}  // namespace io
