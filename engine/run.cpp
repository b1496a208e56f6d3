#include "engine/run.h"

#include <algorithm>
#include <map>
#include <set>
#include <thread>
#include <utility>

#include "engine/patience.h"
#include "engine/together.h"
#include "engine/transport/collectives.h"
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

Run::Run(const Simulation& simulation, const Plan& plan, const RunOptions& options)
    : simulation_(simulation),
      plan_(plan),
      options_(options),
      rank_(transport::rank()),
      spin_(plan.threads * transport::ranks_on_this_node() <= static_cast<int>(std::thread::hardware_concurrency())),
      exchange_(plan.ranks > 1 ? std::make_unique<transport::Exchange>(plan.threads, spin_) : nullptr),
      meeting_(plan.threads, exchange_.get(), spin_),
      lanes_(static_cast<std::size_t>(plan.threads) * static_cast<std::size_t>(plan.threads)) {
    for (int thread = 0; thread < plan.threads; ++thread)
        workers_.push_back(std::make_unique<Worker>(thread, simulation.processes_, exchange_.get()));
    for (const auto& process : simulation.processes_) {
        process->messages_ = process->steps_ = 0;
        if (is_here(owner(*process))) worker_here(owner(*process)).own(*process);
    }
    connect();
}

Run::~Run() {
    for (const Simulation::Channel& channel : simulation_.channels_) channel.from->outbox_ = nullptr;
}

int Run::owner(const LogicalProcess& process) const {
    return plan_.worker.empty() ? 0 : plan_.worker[static_cast<std::size_t>(process.number_)];
}

// Gives every port that sends from here to another worker the way to it: one for each pair of workers, however many
// channels lead from the one to the other.
void Run::connect() {
    std::map<std::pair<int, int>, std::vector<OutPort*>> cuts;
    for (const Simulation::Channel& channel : simulation_.channels_) {
        const int from = owner(channel.from->process()), to = owner(channel.to->process());
        if (from != to && is_here(from)) cuts[{from, to}].push_back(channel.from);
    }
    std::set<std::pair<int, int>> parcels;  // (worker, rank)
    for (const auto& [ends, ports] : cuts) {
        const auto [from, to] = ends;
        const int rank = to / plan_.threads;
        Outbox& outbox = rank == rank_ ? static_cast<Outbox&>(lane(from, to, ports.size()))
                                       : exchange_->parcel(from % plan_.threads, rank);
        for (OutPort* port : ports) port->outbox_ = &outbox;
        if (rank == rank_ || parcels.insert({from, rank}).second) worker_here(from).sends_through(outbox);
    }
}

transport::Lane& Run::lane(int from, int to, std::size_t channels) {
    const auto threads = static_cast<std::size_t>(plan_.threads);
    auto& lane = lanes_[static_cast<std::size_t>(from) % threads * threads + static_cast<std::size_t>(to) % threads];
    lane = std::make_unique<transport::Lane>(std::clamp<std::size_t>(8 * channels, 64, 4096));
    worker_here(to).receives_from(*lane);
    return *lane;
}

Time Run::window() const {
    Time least = never;
    for (const Simulation::Channel& channel : simulation_.channels_) least = std::min(least, channel.from->lookahead());
    return least;
}

RunReport Run::operator()() {
    const Clock::time_point start = Clock::now();
    const Time length = window();
    {
        const Watchdog watchdog(
            options_.stall_seconds, [this] { return meeting_.held(); }, [this] { return waits_for_other_ranks(); },
            [this] { return standstill(); });
        run_together(plan_.threads, [&](int thread) { work(thread, length); });
    }
    Summary all = summary(seconds_since(start)).over_ranks();
    if (!all.complaints.empty()) complain(all);
    return {all.end,
            meeting_.held() - 1,  // the last one found nothing to do
            all.messages,
            all.steps,
            seconds_since(start),
            std::move(all.workers)};
}

void Run::complain(const Summary& all) const {
    const auto text = [&](const Complaint& complaint) {
        return simulation_.processes_[static_cast<std::size_t>(complaint.process)]->name() + ": " + complaint.text;
    };
    const std::vector<Complaint>& complaints = all.complaints;
    if (complaints[0].code != ExitCode::done) throw_as(complaints[0].code, text(complaints[0]));
    const std::size_t shown = std::min<std::size_t>(8, complaints.size());
    std::string message = "nothing happens after time " + std::to_string(all.end) + ", but not all is done: ";
    for (std::size_t i = 0; i < shown; ++i) message += (i > 0 ? "; " : "") + text(complaints[i]);
    if (shown < complaints.size()) message += "; and " + std::to_string(complaints.size() - shown) + " more";
    throw InternalError(message);
}

void Run::work(int thread, Time length) {
    ProgressClock progress(options_.progress);
    workers_[static_cast<std::size_t>(thread)]->run(meeting_, length, [&](Time start) {
        if (thread != 0) return;
        window_start_.store(start, std::memory_order_relaxed);
        if (rank_ == 0) progress.tick(start);
    });
}

Summary Run::summary(double seconds) const {
    Summary summary;
    for (int thread = 0; thread < plan_.threads; ++thread) {
        const Worker& worker = *workers_[static_cast<std::size_t>(thread)];
        const double waited = meeting_.waited(thread);
        summary.workers.push_back({seconds - waited, waited});
        for (const Complaint& complaint : worker.complaints()) summary.complaints.push_back(complaint);
        for (const LogicalProcess* process : worker.processes()) {
            summary.end = std::max(summary.end, process->now_);
            summary.messages += process->messages_;
            summary.steps += process->steps_;
            if (meeting_.failed()) continue;
            if (std::string left = process->unfinished(); !left.empty())
                summary.complaints.push_back({process->number_, ExitCode::done, std::move(left)});
        }
    }
    return summary;
}

bool Run::waits_for_other_ranks() const {
    return exchange_ != nullptr && exchange_->waiting_for() >= 0;
}

std::string Run::standstill() const {
    std::string text = "rank " + std::to_string(rank_) + " of " + std::to_string(plan_.ranks) + ", window from time " +
                       std::to_string(window_start_.load(std::memory_order_relaxed));
    for (int thread = 0; thread < plan_.threads; ++thread) {
        const Worker& worker = *workers_[static_cast<std::size_t>(thread)];
        text += "\n  worker " + std::to_string(thread);
        if (!meeting_.waiting(thread)) {
            text += worker.current() < 0
                        ? " has not begun"
                        : " is busy with " + simulation_.processes_[static_cast<std::size_t>(worker.current())]->name();
            continue;
        }
        text += thread == 0 && waits_for_other_ranks() ? " waits for rank " + std::to_string(exchange_->waiting_for())
                                                       : " waits for the other workers";
        for (const LogicalProcess* process : worker.processes())
            text += "\n    " + process->name() + ": " + process->situation();
    }
    return text;
}

}  // namespace engine
