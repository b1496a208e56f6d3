#include "engine/run.h"

#include <algorithm>
#include <optional>
#include <set>
#include <thread>

#include "engine/patience.h"
#include "engine/pinning.h"
#include "engine/together.h"
#include "engine/transport/collectives.h"
#include "engine/transport/link.h"
#include "engine/watchdog.h"

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

Run::Run(Simulation& simulation, const Plan& plan, const RunOptions& options)
    : simulation_(simulation),
      plan_(plan),
      options_(options),
      rank_(transport::rank()),
      nodes_(options.share_memory),
      spin_(plan.threads * nodes_.neighbours() <= static_cast<int>(std::thread::hardware_concurrency())),
      windows_(simulation.window_length()),
      owner_(plan.worker),
      links_(find_links()),
      participants_(find_participants()),
      fabric_(nodes_, ranks_of_participants(), ends_of_links()) {
    std::size_t links = 0;
    for (const auto& [ends, lead] : links_) link_numbers_[ends] = links++;
    make_workers();
    connect();
    make_crew();
    set_up_meters();
    positions_ = positions();
}

Run::~Run() {
    for (const Simulation::Channel& channel : simulation_.channels_) channel.from->outgoing_ = nullptr;
    for (const Simulation::Bundle& bundle : simulation_.bundles_)
        for (FanOutPort* port : bundle.from) port->routes_ = nullptr;
}

std::vector<int> Run::find_participants() const {
    std::set<int> owners;
    for (const auto& process : simulation_.processes_) owners.insert(owner(*process));
    if (nodes_.several())
        for (int rank = 0; rank < plan_.ranks; ++rank) owners.insert(rank * plan_.threads);
    return {owners.begin(), owners.end()};
}

std::vector<int> Run::ranks_of_participants() const {
    std::vector<int> ranks;
    for (const int worker : participants_) ranks.push_back(worker / plan_.threads);
    return ranks;
}

void Run::make_workers() {
    workers_.resize(static_cast<std::size_t>(plan_.threads));
    for (std::size_t seat = 0; seat < participants_.size(); ++seat) {
        const int number = participants_[seat];
        if (!is_here(number)) continue;
        const Meeting meeting(fabric_.meeting(), fabric_.seats(), static_cast<int>(seat),
                              static_cast<int>(participants_.size()), spin_);
        const auto thread = static_cast<std::size_t>(number % plan_.threads);
        workers_[thread] =
            std::make_unique<Worker>(number, simulation_.processes_, windows_, meeting, spin_, options_.chaos);
        if (simulation_.log_ != nullptr) workers_[thread]->log_to(simulation_.log_->of(thread));
    }
    for (const auto& process : simulation_.processes_)
        if (const int number = owner(*process); is_here(number))
            workers_[static_cast<std::size_t>(number % plan_.threads)]->own(*process);
    for (const Envelope& envelope : simulation_.in_flight_) {
        const int number = owner(*simulation_.processes_[static_cast<std::size_t>(envelope.receiver)]);
        if (is_here(number)) workers_[static_cast<std::size_t>(number % plan_.threads)]->calendar().add(envelope);
    }
    const auto first =
        std::find_if(workers_.begin(), workers_.end(), [](const auto& worker) { return worker != nullptr; });
    if (first == workers_.end()) return;
    if (fabric_.courier() != nullptr) (*first)->employ(*fabric_.courier());
    if (options_.stop_requested != nullptr) (*first)->heed(*options_.stop_requested);
    for (const auto& worker : workers_)
        if (worker != nullptr) worker->stop_before(windows_.of(std::clamp(options_.until, Time{0}, end_of_time)));
}

std::vector<Envelope> Run::take_in_flight() {
    std::vector<Envelope> all;
    for (const auto& worker : workers_)
        if (worker != nullptr)
            worker->calendar().hand_on(0, [&](const Envelope& envelope) { all.push_back(envelope); });
    return all;
}

RunReport Run::operator()() {
    const Clock::time_point start = Clock::now();
    {
        const Watchdog watchdog(
            options_.stall_seconds, [this] { return progress(); }, [this] { return is_innocent(); },
            [this] { return standstill(); });
        const std::unique_ptr<Cores> cores = options_.pin ? std::make_unique<Cores>() : nullptr;
        const int first = cores != nullptr ? nodes_.place() * plan_.threads : 0;
        run_together(plan_.threads, [&](int thread) {
            std::optional<Cores::Pin> pin;
            if (cores != nullptr) pin.emplace(*cores, first + thread);
            work(thread);
        });
    }
    scale_.end();
    for (const auto& worker : workers_)
        if (worker != nullptr) worker->meter().finish(scale_);
    Summary all = summary(seconds_since(start)).over_ranks();
    if (!all.complaints.empty()) complain(all);
    RunReport& report = all.report;
    if (all.stopped_after != never) report.stopped_at = std::max(simulation_.now(), windows_.end(all.stopped_after));
    report.seconds = seconds_since(start);
    return std::move(report);
}

void Run::complain(const Summary& all) const {
    const auto text = [&](const Complaint& complaint) {
        return simulation_.processes_[static_cast<std::size_t>(complaint.process)]->name() + ": " + complaint.text;
    };
    const std::vector<Complaint>& complaints = all.complaints;
    if (complaints[0].code != ExitCode::done) throw_as(complaints[0].code, text(complaints[0]));
    const std::size_t shown = std::min<std::size_t>(8, complaints.size());
    std::string message = "nothing happens after time " + std::to_string(all.report.end) + ", but not all is done: ";
    for (std::size_t i = 0; i < shown; ++i) message += (i > 0 ? "; " : "") + text(complaints[i]);
    if (shown < complaints.size()) message += "; and " + std::to_string(complaints.size() - shown) + " more";
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
    if (thread == 0 && fabric_.courier() != nullptr) fabric_.courier()->finish();
}

Summary Run::summary(double seconds) const {
    Summary summary;
    RunReport& report = summary.report;
    report.window_length = windows_.length();
    report.changes = crew_ != nullptr ? crew_->changes() : 0;
    report.deals = crew_ != nullptr ? crew_->deals() : 0;
    report.profile.processes.resize(simulation_.processes_.size());
    add_messages_sent(report.profile);
    for (const auto& worker : workers_) {
        if (worker == nullptr) {
            report.workers.push_back({.wait = seconds});
            continue;
        }
        report.workers.push_back(report_of(*worker, seconds, report.profile));
        report.windows += worker->windows();
        report.promises += worker->promises();
        report.meetings = std::max(report.meetings, worker->meetings());
        report.stopped_by = worker->stopped_by();
        summary.stopped_after = worker->stopped_after();
        for (const Complaint& complaint : worker->complaints()) summary.complaints.push_back(complaint);
        for (const LogicalProcess* process : worker->processes()) {
            report.end = std::max(report.end, process->now_);
            report.messages += process->messages_;
            report.steps += process->steps_;
            report.profile.processes[static_cast<std::size_t>(process->number_)].messages = process->messages_;
            if (worker->failed() || worker->stopped_after() != never) continue;
            if (std::string left = process->unfinished(); !left.empty())
                summary.complaints.push_back({never, process->number_, ExitCode::done, std::move(left)});
        }
    }
    return summary;
}

std::uint64_t Run::progress() const {
    std::uint64_t windows = 0;
    for (const auto& worker : workers_)
        if (worker != nullptr) windows += worker->windows();
    return windows;
}

// All workers here wait, so somebody elsewhere is to blame, if there is somebody elsewhere.
bool Run::is_innocent() const {
    return plan_.ranks > 1 && std::all_of(workers_.begin(), workers_.end(), [](const auto& worker) {
               return worker == nullptr || worker->situation().waits;
           });
}

std::string Run::standstill() const {
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
        if (situation.stands_aside) {
            text += " lets another one do its work";
            continue;
        }
        if (situation.waits_for < 0) {
            text += " waits for all workers";
        } else {
            text += " waits for worker " + std::to_string(situation.waits_for) + ", which has come to time " +
                    std::to_string(situation.promise) + " (lookahead " + std::to_string(situation.lookahead) + ")";
        }
        for (const LogicalProcess* process : worker->processes())
            text += "\n    " + process->name() + ": " + process->situation();
    }
    return text;
}

}  // namespace engine
