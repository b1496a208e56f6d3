#include "partitions/prediction.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <numeric>

#include "partitions/links.h"

namespace partitions {

using engine::at;
using engine::Graph;
using engine::Plan;
using engine::SyncCost;
using engine::Time;
using engine::WorkLog;

namespace {

constexpr Time long_silence = 16;      // windows
constexpr std::size_t farthest = 256;  // windows of lookahead that are told apart, a power of two
constexpr double reduction = 2;        // hops: all arrive, all read the result

// The protocol, window after window.
class Game {
  public:
    Game(const Cut& cut, Time window_length, std::size_t workers, const SyncCost& sync)
        : sync_(sync),
          senders_(workers),
          ends_(farthest, std::vector<double>(workers, -sync.window)),
          now_(workers),
          work_(workers),
          crossing_(workers) {
        for (const auto& [ends, lookahead] : cut.links) {
            const Time windows = std::clamp<Time>(lookahead / window_length, 1, static_cast<Time>(farthest) - 1);
            senders_[at(ends.second)].push_back({at(ends.first), static_cast<std::size_t>(windows)});
        }
    }
    // In the next window; the first work of a worker there costs more. `crossing`: messages from other workers.
    void add(int worker, double seconds, double first, double crossing) {
        crossing_[at(worker)] += crossing;
        work_[at(worker)] += (work_[at(worker)] == 0 ? first : 0) + seconds;
    }
    // That was window `window`.
    void end(Time window) {
        if (window - last_ > long_silence + 1) {
            reduce();
        } else {
            const std::vector<double> none(work_.size());
            while (++last_ < window) play(none);
        }
        for (std::size_t w = 0; w < work_.size(); ++w)
            work_[w] += sync_.message * crossing_[w] + sync_.batch * std::min(1.0, crossing_[w]);
        play(work_);
        last_ = window;
        std::fill(work_.begin(), work_.end(), 0);
        std::fill(crossing_.begin(), crossing_.end(), 0);
    }
    double now() const { return *std::max_element(now_.begin(), now_.end()); }

  private:
    struct Sender {
        std::size_t worker, windows;
    };
    void play(const std::vector<double>& work) {
        newest_ = (newest_ + 1) % farthest;
        for (std::size_t w = 0; w < now_.size(); ++w) {
            const double look = work[w] > 0 ? sync_.link : 0;
            for (const Sender& sender : senders_[w])
                now_[w] = std::max(now_[w] + look,
                                   ends_[(newest_ - sender.windows) % farthest][sender.worker] + sync_.window);
        }
        for (std::size_t w = 0; w < now_.size(); ++w) now_[w] += work[w];
        ends_[newest_] = now_;
    }
    void reduce() {
        const double all = now() + (senders_.size() > 1 ? reduction * sync_.window : 0);
        for (auto& ends : ends_) std::fill(ends.begin(), ends.end(), all - sync_.window);
        std::fill(now_.begin(), now_.end(), all);
    }

    SyncCost sync_;
    std::vector<std::vector<Sender>> senders_;  // by receiver
    std::vector<std::vector<double>> ends_;     // of a window modulo `farthest`, by each worker
    std::vector<double> now_, work_;            // of each worker; in the next window
    std::vector<double> crossing_;              // messages for each worker from others, in the next window
    std::size_t newest_ = 0;
    Time last_ = -1;
};

// 0 of nothing.
class Mean {
  public:
    void add(double value) {
        sum_ += value;
        ++count_;
    }
    double value() const { return count_ == 0 ? 0 : sum_ / count_; }

  private:
    double sum_ = 0, count_ = 0;
};

}  // namespace

double Work::total() const {
    double sum = static_cast<double>(windows.size()) * per_window;
    for (const Entry& entry : entries) sum += static_cast<double>(entry.seconds);
    return sum;
}

std::vector<double> Work::by_process(std::size_t processes) const {
    std::vector<double> seconds(processes);
    for (const Entry& entry : entries) seconds[at(entry.process)] += static_cast<double>(entry.seconds);
    return seconds;
}

void Work::scale_to(double seconds) {
    const double factor = total() > 0 ? seconds / total() : 1;
    for (Entry& entry : entries) entry.seconds *= static_cast<float>(factor);
    per_window *= factor;
}

void take_least(WorkLog& log, const WorkLog& other) {
    assert(log.windows.size() == other.windows.size() && log.entries.size() == other.entries.size());
    for (std::size_t w = 0; w < log.windows.size(); ++w) {
        log.windows[w].collect = std::min(log.windows[w].collect, other.windows[w].collect);
        log.windows[w].rest = std::min(log.windows[w].rest, other.windows[w].rest);
    }
    for (std::size_t i = 0; i < log.entries.size(); ++i)
        log.entries[i].time = std::min(log.entries[i].time, other.entries[i].time);
}

Work in_seconds(const WorkLog& log) {
    const auto seconds = [&](std::uint32_t units, double looks) {
        return std::max(0.0, units * log.unit - looks * log.overhead);
    };
    Work work;
    Mean rest, collect;
    double messages = 0;
    for (const WorkLog::Window& window : log.windows) {
        for (std::uint32_t i = window.first; i < window.first + window.count; ++i) messages += log.entries[i].messages;
        collect.add(seconds(window.collect, 1));
        rest.add(seconds(window.rest, 1));
    }
    const double all_collect = collect.value() * static_cast<double>(log.windows.size());
    const double per_message = messages > 0 ? all_collect / messages : 0;
    work.per_window = rest.value() + (messages > 0 ? 0 : collect.value());
    for (const WorkLog::Window& window : log.windows) {
        work.windows.push_back({window.number, work.entries.size()});
        for (std::uint32_t i = window.first; i < window.first + window.count; ++i) {
            const WorkLog::Entry& entry = log.entries[i];
            work.entries.push_back({static_cast<int>(entry.process),
                                    static_cast<float>(seconds(entry.time, 1) + per_message * entry.messages),
                                    static_cast<float>(entry.messages)});
        }
    }
    return work;
}

double predicted_seconds(const Work& work, const Graph& graph, Time window_length, const Plan& plan,
                         const SyncCost& sync) {
    const Cut cut = cut_of(graph, plan);
    const auto workers = at(plan.ranks * plan.threads);
    Game game(cut, window_length, workers, sync);
    std::size_t entry = 0;
    for (std::size_t w = 0; w < work.windows.size(); ++w) {
        const std::size_t end = w + 1 < work.windows.size() ? work.windows[w + 1].first : work.entries.size();
        for (; entry < end; ++entry) {
            const Work::Entry& done = work.entries[entry];
            const int worker = plan.worker.empty() ? 0 : plan.worker[at(done.process)];
            const double crossing = cut.crossing[at(done.process)] * static_cast<double>(done.messages);
            game.add(worker, static_cast<double>(done.seconds), work.per_window, crossing);
        }
        game.end(work.windows[w].number);
    }
    return game.now();
}

double conservative_bound(const Work& work, const Graph& graph, Time window_length) {
    Plan plan{1, std::max(1, static_cast<int>(graph.processes.size())), {}};
    plan.worker.resize(graph.processes.size());
    std::iota(plan.worker.begin(), plan.worker.end(), 0);
    Work bare = work;
    bare.per_window = 0;
    return predicted_seconds(bare, graph, window_length, plan, {});
}

CriticalPath critical_path(const Work& work, const std::vector<WorkLog::Cause>& causes, std::size_t processes) {
    constexpr auto nobody = static_cast<std::uint32_t>(-1);
    std::vector<double> end(work.entries.size());
    std::vector<std::uint32_t> before(work.entries.size(), nobody);  // who it has waited for longest
    std::vector<std::uint32_t> last(processes, nobody);              // of each process
    std::uint32_t latest = nobody;
    auto cause = causes.begin();
    for (std::uint32_t i = 0; i < work.entries.size(); ++i) {
        const Work::Entry& entry = work.entries[i];
        const auto wait_for = [&](std::uint32_t other) {
            if (before[i] == nobody || end[other] > end[before[i]]) before[i] = other;
        };
        if (last[at(entry.process)] != nobody) wait_for(last[at(entry.process)]);
        for (; cause != causes.end() && cause->to == i; ++cause) {
            assert(cause->from < i);
            wait_for(cause->from);
        }
        end[i] = static_cast<double>(entry.seconds) + (before[i] == nobody ? 0 : end[before[i]]);
        last[at(entry.process)] = i;
        if (latest == nobody || end[i] > end[latest]) latest = i;
    }
    CriticalPath path{latest == nobody ? 0 : end[latest], std::vector<double>(processes)};
    for (; latest != nobody; latest = before[latest])
        path.by_process[at(work.entries[latest].process)] += static_cast<double>(work.entries[latest].seconds);
    return path;
}

}  // namespace partitions
