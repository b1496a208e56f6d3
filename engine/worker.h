// Worker: runs its processes, one window after the other, on one thread.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/error.h"
#include "engine/logical_process.h"
#include "engine/meeting.h"

namespace engine {

class Outbox;

namespace transport {
class Exchange;
class Lane;
}  // namespace transport

// What a process has to say at the end of a run that did not end well.
struct Complaint {
    int process;    // its number
    ExitCode code;  // of what it threw; `done` if it threw nothing but is unfinished
    std::string text;
};

class Worker {
  public:
    // `all`: the processes of the machine, by number. `exchange` is null if there is one rank.
    Worker(int thread, std::span<const std::unique_ptr<LogicalProcess>> all, const transport::Exchange* exchange)
        : thread_(thread),
          all_(all),
          exchange_(exchange),
          mine_(all.size()) {}

    void own(LogicalProcess& process);
    void sends_through(Outbox& outbox) { outboxes_.push_back(&outbox); }
    void receives_from(transport::Lane& lane) { lanes_.push_back(&lane); }

    // Runs windows of this length until all workers have no more to do, or one of them cannot go on. `each_window` is
    // called with the start of every window. Does not throw.
    template <class EachWindow>
    void run(Meeting& meeting, Time length, EachWindow each_window) {
        for (Time start = meeting.agree(thread_, next_event()); start != never && start != failure;) {
            each_window(start);
            receive();
            advance(start > never - length ? never : start + length);
            start = meeting.agree(thread_, next_event());
        }
    }

    const std::vector<LogicalProcess*>& processes() const { return processes_; }
    const std::vector<Complaint>& complaints() const { return complaints_; }
    // The number of the process that is being advanced or was advanced last, -1: none yet. From any thread.
    int current() const { return current_.load(std::memory_order_relaxed); }

  private:
    void receive();
    void advance(Time until);
    Time next_event();

    int thread_;
    std::span<const std::unique_ptr<LogicalProcess>> all_;
    const transport::Exchange* exchange_;
    std::vector<bool> mine_;                  // by number
    std::vector<LogicalProcess*> processes_;  // by number
    std::vector<Outbox*> outboxes_;           // to other workers
    std::vector<transport::Lane*> lanes_;     // from other workers of this rank
    std::vector<Complaint> complaints_;       // at most one: the worker stops at it
    std::atomic<int> current_ = -1;
};

}  // namespace engine
