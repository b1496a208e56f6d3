#include "engine/scheduling/run.h"

#include <algorithm>
#include <optional>
#include <set>

#include "engine/threads/watchdog.h"
#include "engine/transport/collectives.h"
#include "engine/transport/link.h"
#include "engine/wall_clock.h"

namespace engine {

namespace {

[[noreturn]] void throw_as(ExitCode code, const std::string& message) {
    switch (code) {
        case ExitCode::internal:
            throw InternalError(message);
        case ExitCode::usage:
            throw ConfigError(message);
        case ExitCode::input:
            throw InputError(message);
        case ExitCode::io:
            throw IoError(message);
        default:
            throw Error(code, message);
    }
}

// Calls back about every 100 ms, without a look at the clock in most windows.
class ProgressClock {
  public:
    explicit ProgressClock(const std::function<void(Time)>& callback) : callback_(callback) {}
    void tick(Time start) {
        if (!callback_ || ++windows_ % 16 != 0 || seconds_since(last_) < 0.1) return;
        last_ = Clock::now();
        callback_(start);
    }

  private:
    const std::function<void(Time)>& callback_;
    unsigned windows_ = 0;
    Clock::time_point last_ = Clock::now();
};

}  // namespace

Run::Run(Simulation& simulation, const Plan& plan, const RunSetting& setting, double seconds)
    : simulation_(simulation),
      plan_(plan),
      options_(setting.options),
      rank_(transport::rank()),
      setting_(setting),
      windows_(simulation.window_length()),
      links_(find_links()),
      participants_(find_participants()),
      interconnect_(setting.nodes, ranks_of_participants(), ends_of_links()),
      stop_(options_.stop_requested, seconds) {
    make_workers();
    connect();
    set_up_meters();
    positions_ = positions();
}

Run::~Run() {
    for (const Simulation::Channel& channel : simulation_.channels_) channel.from->outgoing_ = nullptr;
    for (const Simulation::Bundle& bundle : simulation_.bundles_)
        for (FanOutPort* port : bundle.from) port->routes_ = nullptr;
}

std::vector<int> Run::find_participants() const {
    std::set<int> workers;
    for (const auto& process : simulation_.processes_) workers.insert(worker_of(*process));
    if (setting_.nodes.several())
        for (int rank = 0; rank < plan_.ranks; ++rank) workers.insert(rank * plan_.threads);
    return {workers.begin(), workers.end()};
}

std::vector<int> Run::ranks_of_participants() const {
    std::vector<int> ranks;
    for (const int worker : participants_) ranks.push_back(worker / plan_.threads);
    return ranks;
}

void Run::make_workers() {
    workers_.resize(static_cast<std::size_t>(plan_.threads));
    for (std::size_t slot = 0; slot < participants_.size(); ++slot) {
        const int number = participants_[slot];
        if (!is_here(number)) continue;
        const Reduction reduction(interconnect_.reduction(), interconnect_.slots(), static_cast<int>(slot),
                                  static_cast<int>(participants_.size()), setting_.spin);
        const auto thread = static_cast<std::size_t>(number % plan_.threads);
        workers_[thread] = std::make_unique<Worker>(number, simulation_.processes_, windows_, reduction, setting_.spin,
                                                    options_.fuzz_seed);
        if (simulation_.log_ != nullptr) workers_[thread]->scheduler().log_to(simulation_.log_->of(thread));
    }
    for (const auto& process : simulation_.processes_)
        if (const int number = worker_of(*process); is_here(number)) local(number).scheduler().add(*process);
    for (const Envelope& envelope : simulation_.in_flight_) {
        const int number = worker_of(*simulation_.processes_[static_cast<std::size_t>(envelope.receiver)]);
        if (is_here(number)) local(number).scheduler().calendar().add(envelope);
    }
    const auto first =
        std::find_if(workers_.begin(), workers_.end(), [](const auto& worker) { return worker != nullptr; });
    if (first == workers_.end()) return;
    if (participants_.size() == 1 && !setting_.nodes.several()) {
        if (const std::vector<bool> wide = find_wide(); !wide.empty()) (*first)->scheduler().widen(wide);
    }
    if (interconnect_.inter_node() != nullptr) (*first)->set_transport(*interconnect_.inter_node());
    (*first)->stop_when(stop_);
    const Time last = windows_.of(std::clamp(options_.until, Time{0}, end_of_time));
    for_each_worker([&](Worker& worker) { worker.stop_before(last); });
}

std::vector<Envelope> Run::take_in_flight() {
    std::vector<Envelope> all;
    for_each_worker([&](Worker& worker) { worker.scheduler().calendar().take_all(all); });
    return all;
}

RunReport Run::operator()() {
    const Clock::time_point start = Clock::now();
    {
        const Watchdog watchdog(
            options_.stall_seconds, [this] { return progress(); }, [this] { return is_blocked_on_remote(); },
            [this] { return stall_report(); });
        setting_.group.all([&](int thread) {
            std::optional<Cores::Pin> pin;
            if (setting_.cores != nullptr)
                pin.emplace(*setting_.cores, setting_.nodes.place() * plan_.threads + thread);
            work(thread);
        });
    }
    scale_.end();
    for_each_worker([this](Worker& worker) { worker.scheduler().meter().finish(scale_); });
    Summary all = summary(seconds_since(start)).over_ranks();
    if (!all.failures.empty()) fail(all);
    RunReport& report = all.report;
    if (all.stopped_after != never) report.stopped_at = std::max(simulation_.now(), windows_.end(all.stopped_after));
    report.seconds = seconds_since(start);
    return std::move(report);
}

void Run::fail(const Summary& all) const {
    const auto text = [&](const Failure& failure) {
        return simulation_.processes_[static_cast<std::size_t>(failure.process)]->name() + ": " + failure.text;
    };
    const std::vector<Failure>& failures = all.failures;
    if (failures[0].code != ExitCode::done) throw_as(failures[0].code, text(failures[0]));
    const std::size_t shown = std::min<std::size_t>(8, failures.size());
    std::string message = "nothing happens after time " + std::to_string(all.report.end) + ", but not all is done: ";
    for (std::size_t i = 0; i < shown; ++i) message += (i > 0 ? "; " : "") + text(failures[i]);
    if (shown < failures.size()) message += "; and " + std::to_string(failures.size() - shown) + " more";
    throw InternalError(message);
}

void Run::work(int thread) {
    Worker* const worker = workers_[static_cast<std::size_t>(thread)].get();
    if (worker == nullptr) return;
    ProgressClock clock(options_.progress);
    const bool tells = rank_ == 0 && thread == 0;
    worker->run([&](Time start) {
        if (tells) clock.tick(start);
    });
    if (thread == 0 && interconnect_.inter_node() != nullptr) interconnect_.inter_node()->finish();
}

Summary Run::summary(double seconds) const {
    Summary summary;
    RunReport& report = summary.report;
    report.window_length = windows_.length();
    report.profile.processes.resize(simulation_.processes_.size());
    add_messages_sent(report.profile);
    for (const auto& worker : workers_) {
        if (worker == nullptr) {
            report.workers.push_back({.wait = seconds});
            continue;
        }
        report.workers.push_back(report_of(*worker, seconds, report.profile));
        report.windows += worker->windows();
        report.null_messages += worker->null_messages();
        report.reductions = std::max(report.reductions, worker->reductions());
        worker->scheduler().report(report);
        const Worker::Ending& ending = worker->ending();
        report.stopped_by = ending.stopped_by;
        summary.stopped_after = ending.stopped_after;
        if (worker->failure()) summary.failures.push_back(*worker->failure());
        if (ending.failed || ending.stopped_after != never) continue;
        for (const LogicalProcess* process : worker->scheduler().processes())
            if (std::string left = process->unfinished(); !left.empty())
                summary.failures.push_back({never, process->number(), ExitCode::done, std::move(left)});
    }
    return summary;
}

std::uint64_t Run::progress() const {
    std::uint64_t windows = 0;
    for_each_worker([&](const Worker& worker) { windows += worker.windows(); });
    return windows;
}

// Every local worker is blocked: another rank is the culprit.
bool Run::is_blocked_on_remote() const {
    bool blocked = plan_.ranks > 1;
    for_each_worker([&](const Worker& worker) { blocked &= worker.situation().waits; });
    return blocked;
}

std::string Run::stall_report() const {
    std::string text = "rank " + std::to_string(rank_) + " of " + std::to_string(plan_.ranks);
    for (const auto& worker : workers_) {
        if (worker == nullptr) continue;
        const Worker::Situation situation = worker->situation();
        text += "\n  worker " + std::to_string(worker->number());
        if (!situation.waits) {
            text +=
                situation.process < 0
                    ? " has not begun"
                    : " is busy with " + simulation_.processes_[static_cast<std::size_t>(situation.process)]->name();
            continue;
        }
        if (situation.waits_for < 0) {
            text += " waits for all workers";
        } else {
            text += " waits for worker " + std::to_string(situation.waits_for) + ", which has come to time " +
                    std::to_string(situation.clock) + " (lookahead " + std::to_string(situation.lookahead) + ")";
        }
        for (const LogicalProcess* process : worker->scheduler().processes())
            text += "\n    " + process->name() + ": " + process->situation();
    }
    return text;
}

}  // namespace engine
