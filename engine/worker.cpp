#include "engine/worker.h"

#include <algorithm>
#include <utility>

#include "engine/bits.h"
#include "engine/patience.h"

namespace engine {

namespace {

constexpr unsigned least_patience = 4, most_patience = 4096;  // promises between two meetings
constexpr int aside = -2;                                     // instead of the worker that one waits for
constexpr double long_wait = 1e-3;                            // seconds
constexpr Time worthwhile = 16;                               // windows that a meeting should skip

std::size_t at(int number) {
    return static_cast<std::size_t>(number);
}

}  // namespace

Worker::Worker(int number, std::span<const std::unique_ptr<LogicalProcess>> all, const Windows& windows,
               const Meeting& meeting, bool spin, std::uint64_t chaos)
    : number_(number),
      spin_(spin),
      windows_(windows),
      meeting_(meeting),
      chaos_(chaos, number),
      calendar_(windows),
      patience_with_telling_(least_patience),
      mine_((all.size() + 63) / 64),
      awake_(mine_.size()),
      active_(awake_.size()),
      due_(awake_.size()),
      urgent_(awake_.size()),
      meter_(all.size()) {
    for (const auto& process : all) places_.push_back({process.get(), never, MessagePool::none});
}

void Worker::own(LogicalProcess& process) {
    processes_.push_back(&process);
    process.messages_ = process.steps_ = 0;
    take_in(process);
}

void Worker::take_in(LogicalProcess& process) {
    set(mine_, at(process.number_));
    process.calendar_ = &calendar_;
    process.pool_ = &calendar_.pool();
    process.arrivals_ = process.arrivals_end_ = nullptr;
    places_[at(process.number_)].wake = process.wake_;
    if (process.wake_ == never) return;
    set(awake_, at(process.number_));
    next_wake_ = std::min(next_wake_, process.wake_);
}

void Worker::let_go(LogicalProcess& process) {
    clear(mine_, at(process.number_));
    clear(awake_, at(process.number_));
    places_[at(process.number_)].wake = never;
}

transport::Outgoing& Worker::send_to(transport::LinkMemory& memory, std::vector<Sender> senders) {
    for (const Sender& sender : senders)
        if (sender.urgent) set(urgent_, at(sender.process->number_));
    has_others_ = std::any_of(processes_.begin(), processes_.end(), [this](const LogicalProcess* process) {
        return !contains(urgent_, at(process->number_));
    });
    for (std::size_t i = 0; i < outgoing_.size(); ++i)
        if (outgoing_[i]->leads_to(memory)) {
            senders_[i] = std::move(senders);
            return *outgoing_[i];
        }
    senders_.push_back(std::move(senders));
    return *outgoing_.emplace_back(std::make_unique<transport::Outgoing>(memory));
}

void Worker::receive_from(transport::LinkMemory& memory, int sender, Time lookahead) {
    incoming_.emplace_back(memory, sender, lookahead);
}

// What anybody sent before is in calendars when the workers say what is next, because all hand over first.
bool Worker::meet() {
    waits_for_.store(-1, std::memory_order_relaxed);
    waits_.store(true, std::memory_order_release);
    const Time safe_before = safe_;
    hand_over();
    waited_before_meeting_ = waited_;
    meeting_.arrive([this] { look(); }, waited_);
    look();
    const Time next = failed_ ? never : next_window();
    const bool may_change = leads() && meeting_.last_window() == last_planned_;
    const Meeting::Contribution mine{.next = next == never ? never : windows_.start(next),
                                     .reached = reached_,
                                     .stop = must_stop() ? stop_->load(std::memory_order_relaxed) : 0,
                                     .failed = failed_,
                                     .change = may_change ? crew_->review() : Change::none};
    // The calendars of a crew belong to whoever goes on alone, as soon as he knows that he does.
    const Meeting::Outcome outcome = meeting_.agree(
        mine, [this] { crew_ == nullptr ? look() : void(); }, waited_);
    waits_.store(false, std::memory_order_relaxed);
    if (!goes_on(outcome)) return false;
    if (outcome.change == Change::one_alone) {
        stands_aside_ = !leads();
        if (leads()) crew_->gather(windows_.of(outcome.next));
        look();
        return true;
    }
    if (outcome.change == Change::deal_anew) leads() ? crew_->deal(windows_.of(outcome.next)) : stand_aside();
    const Time skipped = windows_.of(outcome.next) - windows_.of(std::min(safe_before, outcome.next));
    if (skipped > worthwhile)
        patience_with_telling_ = least_patience;
    else if (starved_)
        patience_with_telling_ = std::min(2 * patience_with_telling_, most_patience);
    starved_ = false;
    told_since_window_ = 0;
    has_run_ = false;
    floor_ = outcome.next;
    look();
    tell();
    return true;
}

// Who is to stop lets all come to where the first one is already.
bool Worker::goes_on(const Meeting::Outcome& outcome) {
    Time last = outcome.last_window;
    if (outcome.stop != 0) {
        last = std::min(last, outcome.reached);
        meeting_.stop_after(last);
    }
    if (outcome.next != never && windows_.of(outcome.next) <= last) return true;
    failed_ = outcome.failed;
    if (!failed_ && outcome.next != never) {
        stopped_after_ = last;
        stopped_by_ = outcome.stop;
    }
    return false;
}

void Worker::stand_aside() {
    waits_for_.store(aside, std::memory_order_relaxed);
    waits_.store(true, std::memory_order_release);
    const Clock::time_point start = Clock::now();
    crew_->stand_aside(recalls_);
    waited_ += seconds_since(start);
    stands_aside_ = false;
    waits_.store(false, std::memory_order_relaxed);
}

void Worker::move_wake(Worker& from, LogicalProcess& process) {
    const std::size_t i = at(process.number_);
    process.calendar_ = &calendar_;
    process.pool_ = &calendar_.pool();
    set(mine_, i);
    clear(from.mine_, i);
    places_[i].wake = std::exchange(from.places_[i].wake, never);
    clear(from.awake_, i);
    if (places_[i].wake == never) return;
    set(awake_, i);
    next_wake_ = std::min(next_wake_, places_[i].wake);
}

void Worker::take_over(Worker& other) {
    for (LogicalProcess* process : other.processes_) move_wake(other, *process);
    other.next_wake_ = never;
}

void Worker::give_back(Worker& other) {
    for (LogicalProcess* process : other.processes_) other.move_wake(*this, *process);
}

void Worker::reassign(std::vector<LogicalProcess*> processes) {
    processes_ = std::move(processes);
    has_others_ = false;
    std::fill(urgent_.begin(), urgent_.end(), 0);
    for (auto& senders : senders_) senders.clear();
    for (const auto& outgoing : outgoing_) outgoing->forget_promises();
    incoming_.clear();
}

std::uint64_t Worker::events() const {
    std::uint64_t sum = 0;
    for (const LogicalProcess* process : processes_) sum += process->messages_ + process->steps_;
    return sum;
}

// The next window when it may be run, `never` when there is a meeting. After one, who may run a window does so before
// the next one: who has nothing to do but to ask for meetings could hold the others up for ever.
Time Worker::wait_for_window() {
    Patience patience(spin_);
    for (bool waits = false;;) {
        const Time next = failed_ ? never : next_window();
        if (must_stop() && !std::exchange(stop_told_, true)) meeting_.want();
        const bool wanted = next != never && next <= meeting_.last_window();
        const bool ready = wanted && windows_.end(next) <= safe_;
        if (meeting_.wanted() && (has_run_ || !ready)) break;
        if (ready) {
            if (waits) waits_.store(false, std::memory_order_relaxed);
            waited_ += patience.seconds();
            return next;
        }
        const Time before = safe_;
        if (!chaos_.is_blind()) look();
        if (safe_ != before) {
            tell();
            continue;
        }
        const bool starves = told_since_window_ > patience_with_telling_ ||
                             (told_since_window_ > least_patience && patience.seconds() > long_wait);
        // Perhaps all are. Who finds out that others are not does not hold them up by asking again and again.
        const bool finished = failed_ || (next != never && !wanted) || (safe_ == never && !processes_.empty());
        const bool asks = finished && (!asked_for_end_ || patience.seconds() > long_wait);
        if (asks) asked_for_end_ = true;
        if (starves || asks) {
            starved_ = starves;
            meeting_.want();
            continue;
        }
        waits_for_.store(tightest_, std::memory_order_relaxed);
        if (!std::exchange(waits, true)) waits_.store(true, std::memory_order_release);
        patience.pause();
    }
    waited_ += patience.seconds();
    return never;
}

// First the clocks: what was sent before a promise is then in the ring.
void Worker::look() {
    if (stands_aside_) return;
    if (courier_ != nullptr) courier_->relay();
    if (crew_ != nullptr && crew_->alone()) {
        safe_ = never;
        return;
    }
    Time safe = never;
    for (const transport::Incoming& incoming : incoming_) {
        const Time bound = std::max(incoming.clock(), floor_) + incoming.lookahead();
        if (bound < safe) {
            safe = bound;
            tightest_ = incoming.sender();
        }
    }
    chaos_.strike();
    for (transport::Incoming& incoming : incoming_) incoming.drain(calendar_);
    safe_ = safe;
}

// Everybody takes what is for him while he waits for somebody else to do so, so nobody waits for ever.
void Worker::hand_over() {
    for (const auto& outgoing : outgoing_) {
        if (outgoing->flush()) continue;
        Patience patience(spin_);
        while (!outgoing->flush()) {
            look();
            patience.pause();
        }
        waited_ += patience.seconds();
    }
}

void Worker::tell() {
    ++told_since_window_;
    if (outgoing_.empty() && courier_ == nullptr) return;
    hand_over();
    chaos_.strike();
    const Time next = next_window();
    const Time clock = std::min(next == never ? never : windows_.start(next), safe_);
    for (const auto& outgoing : outgoing_) outgoing->promise(clock);
    if (courier_ != nullptr) courier_->relay();
}

// In the middle of a window, when the urgent ones are through it: what the others still send in it is bound to arrive
// as late as if they had sent it after its end. Who finds no room for his messages tells in the end.
void Worker::tell_early(Time until) {
    if (crew_ != nullptr && crew_->alone()) return;
    for (const auto& outgoing : outgoing_) {
        const bool handed_over = outgoing->flush();
        chaos_.strike();
        if (handed_over) outgoing->promise(until);
    }
}

Worker::Situation Worker::situation() const {
    const bool waits = waits_.load(std::memory_order_acquire);
    const int waits_for = waits_for_.load(std::memory_order_relaxed);
    Situation situation{current_.load(std::memory_order_relaxed), waits, waits && waits_for == aside, waits_for, 0, 0};
    for (const transport::Incoming& incoming : incoming_)
        if (incoming.sender() == situation.waits_for) {
            situation.promise = incoming.clock();
            situation.lookahead = incoming.lookahead();
        }
    return situation;
}

std::uint64_t Worker::promises() const {
    std::uint64_t sum = 0;
    for (const auto& outgoing : outgoing_) sum += outgoing->promises();
    return sum;
}

std::uint64_t Worker::backlog_mark() const {
    std::size_t most = 0;
    for (const auto& outgoing : outgoing_) most = std::max(most, outgoing->most_gathered());
    return most;
}

}  // namespace engine
