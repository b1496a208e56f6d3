// Watchdog: ends the program when a run makes no progress.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <thread>

namespace engine {

// As long as it lives, a thread looks whether `progress` still changes. If it does not for `seconds` of wall time, the
// text of `report` goes to standard error and the program ends with exit code 1, whereupon the launcher ends all ranks.
// Where `blocked_on_remote` says that another rank is to blame, it gets two seconds more to report itself. The
// functions are called from that thread. `seconds` 0: no watchdog.
class Watchdog {
  public:
    Watchdog(double seconds, std::function<std::uint64_t()> progress, std::function<bool()> blocked_on_remote,
             std::function<std::string()> report);

  private:
    std::jthread thread_;
};

}  // namespace engine
