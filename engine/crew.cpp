#include "engine/crew.h"

#include <algorithm>
#include <utility>

#include "engine/worker.h"

namespace engine {

namespace {

constexpr double trials_to_deal = 3;         // as long as so many is the time between two looks at the loads
constexpr std::uint64_t enough_windows = 8;  // measured ones, to know what processes cost

}  // namespace

Crew::Crew(std::vector<Worker*> workers, Office office, bool decides, double trial, std::uint64_t chaos)
    : workers_(std::move(workers)),
      decides_(decides),
      office_(std::move(office)),
      adaptation_(trial),
      at_review_(workers_.size()),
      dealing_(chaos == 0 ? trials_to_deal * trial : 0),
      last_look_(look()) {
    if (chaos != 0) chaos_.emplace(chaos, 0);
}

Change Crew::review() {
    if (!decides_) return Change::none;
    if (!started_) {  // the first meeting
        started_ = true;
        start_ = Clock::now();
        last_look_ = look();
        return Change::none;
    }
    const double now = seconds_since(start_);
    if (office_.route && adaptation_.is_due(now)) {
        std::uint64_t events = 0;
        for (const Worker* worker : workers_) events += worker->events();
        adaptation_.review(now, events, busy());
    }
    if (adaptation_.alone()) return Change::one_alone;
    return dealing_.is_due(now) ? Change::deal_anew : Change::none;
}

Crew::Record Crew::record_of(const Worker& worker) {
    const Meter& meter = worker.meter();
    return {worker.windows(),
            meter.windows(),
            worker.waited_before_meeting(),
            meter.idle(),
            meter.work() + meter.messages(),
            meter.work(),
            meter.work_of()};
}

// How many do not wait, from a sample of windows.
double Crew::busy() {
    double busy = 0;
    for (std::size_t i = 0; i < workers_.size(); ++i) {
        Record now = record_of(*workers_[i]);
        const Stamp busy_there = now.busy - at_review_[i].busy, idle = now.idle - at_review_[i].idle;
        if (busy_there + idle > 0) busy += static_cast<double>(busy_there) / static_cast<double>(busy_there + idle);
        at_review_[i] = std::move(now);
    }
    return busy;
}

Crew::Look Crew::look() const {
    Look look{seconds_since(start_), stamp(), {}};
    for (const Worker* worker : workers_) look.records.push_back(record_of(*worker));
    return look;
}

// Since the last look; of its processes only if enough windows were measured to know them.
Loads Crew::loads(const Look& now) {
    if (chaos_) return drawn_loads();
    const double seconds = now.seconds - last_look_.seconds;
    const auto stamps = static_cast<double>(now.stamp - last_look_.stamp);
    Loads loads;
    for (std::size_t i = 0; i < last_look_.records.size(); ++i) {
        const Worker& worker = *workers_[i];
        const Record &before = last_look_.records[i], &here = now.records[i];
        const double load = busy_share(before, here, seconds, stamps);
        loads.add_worker(worker.number(), load);
        if (here.measured - before.measured < enough_windows || here.work == before.work) continue;
        for (const LogicalProcess* process : worker.processes()) {
            const auto p = static_cast<std::size_t>(process->number());
            loads.add_process(process->number(), load * static_cast<double>(here.work_of[p] - before.work_of[p]) /
                                                     static_cast<double>(here.work - before.work));
        }
    }
    return loads;
}

// Between two records, so many seconds or stamps apart. Short waits are known of the windows that were measured; what
// those take by themselves says nothing, as they are run in another way.
double Crew::busy_share(const Record& before, const Record& now, double seconds, double stamps) {
    double waited = (now.waited - before.waited) / seconds;
    if (now.measured > before.measured)
        waited += static_cast<double>(now.idle - before.idle) / static_cast<double>(now.measured - before.measured) *
                  static_cast<double>(now.windows - before.windows) / stamps;
    return std::clamp(1 - waited, 0.0, 1.0);
}

Loads Crew::drawn_loads() {
    Loads loads;
    for (const Worker* worker : workers_) {
        double all = 0;
        for (const LogicalProcess* process : worker->processes()) {
            const double load = chaos_->below(1000);
            loads.add_process(process->number(), load);
            all += load;
        }
        loads.add_worker(worker->number(), all);
    }
    return loads;
}

// Everything to the leader.
void Crew::collect(Time window) {
    Calendar& calendar = workers_[0]->calendar();
    const auto take = [&](const Envelope& envelope) { calendar.add(envelope); };
    calendar.hand_on(window, take);
    for (Worker* worker : workers_) {
        if (worker == workers_[0]) continue;
        worker->calendar().hand_on(window, take);
        workers_[0]->take_over(*worker);
    }
}

// Everything to its owner. Nothing happens before the window, though what waits may all be for later.
void Crew::hand_out(Time window) {
    std::vector<Worker*> owner;  // by number of the process
    for (Worker* worker : workers_)
        for (const LogicalProcess* process : worker->processes()) {
            const auto number = static_cast<std::size_t>(process->number());
            if (owner.size() <= number) owner.resize(number + 1);
            owner[number] = worker;
        }
    Calendar& calendar = workers_[0]->calendar();
    if (window != never) {
        for (Worker* worker : workers_)
            if (worker != workers_[0]) worker->calendar().hand_on(window, [](const Envelope&) {});
        calendar.hand_on(window, [&](const Envelope& envelope) {
            owner[static_cast<std::size_t>(envelope.receiver)]->calendar().add(envelope);
        });
    }
    for (Worker* worker : workers_)
        if (worker != workers_[0]) workers_[0]->give_back(*worker);
}

void Crew::recall() {
    recalls_.fetch_add(1, std::memory_order_release);
    recalls_.notify_all();
}

void Crew::gather(Time window) {
    const Clock::time_point start = Clock::now();
    collect(window);
    office_.route(true);
    alone_ = true;
    ++changes_;
    last_look_.records.clear();
    adaptation_.changed(seconds_since(start_), seconds_since(start));
}

void Crew::disperse() {
    office_.route(false);
    alone_ = false;
    hand_out(workers_[0]->next_window());
    recall();
}

void Crew::deal(Time window) {
    Look look = this->look();
    const double start = look.seconds;
    const Verdict verdict = office_.plan(loads(look));
    if (verdict != Verdict::unknown || last_look_.records.empty()) last_look_ = std::move(look);
    if (verdict == Verdict::dealt) {
        collect(window);
        office_.deal(window);
        hand_out(window);
        ++deals_;
    }
    recall();
    const double now = seconds_since(start_);
    dealing_.looked(now, verdict, chaos_ ? 0 : now - start);
}

void Crew::stand_aside(std::uint32_t& recalls) const {
    recalls_.wait(recalls, std::memory_order_acquire);
    ++recalls;
}

}  // namespace engine
