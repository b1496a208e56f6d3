#include "engine/worker.h"

#include <algorithm>
#include <bit>
#include <exception>
#include <utility>

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
template <class Bits>
void set(Bits& bits, std::size_t i) {
    bits[i / 64] |= std::uint64_t{1} << i % 64;
}
template <class Bits>
void clear(Bits& bits, std::size_t i) {
    bits[i / 64] &= ~(std::uint64_t{1} << i % 64);
}
template <class Bits, class F>
void for_each_bit(const Bits& bits, F f) {
    for (std::size_t word = 0; word < bits.size(); ++word)
        for (std::uint64_t rest = bits[word]; rest != 0; rest &= rest - 1)
            f(word * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
}

void prefetch(const LogicalProcess* process) {
    const auto* bytes = reinterpret_cast<const std::byte*>(process);
    for (std::size_t line = 0; line < 8; ++line) __builtin_prefetch(bytes + 64 * line);
}

// Few in most windows.
void sort(Arrival* begin, Arrival* end) {
    if (end - begin > 24) return std::sort(begin, end);
    for (Arrival* next = begin + 1; next < end; ++next) {
        const Arrival arrival = *next;
        Arrival* place = next;
        for (; place != begin && arrival < place[-1]; --place) *place = place[-1];
        *place = arrival;
    }
}

}  // namespace

Worker::Worker(int number, std::span<const std::unique_ptr<LogicalProcess>> all, const Windows& windows,
               const Meeting& meeting, bool spin, std::uint64_t chaos)
    : number_(number),
      windows_(windows),
      meeting_(meeting),
      spin_(spin),
      chaos_(chaos, number),
      calendar_(windows),
      patience_with_telling_(least_patience),
      awake_((all.size() + 63) / 64),
      active_(awake_.size()),
      meter_(all.size()) {
    for (const auto& process : all) places_.push_back({process.get(), never, 0, 0});
}

void Worker::own(LogicalProcess& process) {
    processes_.push_back(&process);
    process.calendar_ = &calendar_;
    process.arrivals_ = process.arrivals_end_ = nullptr;
    process.messages_ = process.steps_ = 0;
    places_[at(process.number_)].wake = process.wake_;
    stride_ = std::min(stride_, process.cycle());
    if (process.wake_ == never) return;
    set(awake_, at(process.number_));
    next_wake_ = std::min(next_wake_, process.wake_);
}

transport::Outgoing& Worker::send_to(transport::LinkMemory& memory, std::vector<const LogicalProcess*> senders) {
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
    meeting_.arrive([this] { look(); }, waited_);
    look();
    const Time next = failed_ ? never : next_window();
    const bool alone = leads() && meeting_.last_window() == last_planned_ && crew_->review();
    const Meeting::Contribution mine{.next = next == never ? never : windows_.start(next),
                                     .reached = reached_,
                                     .stop = must_stop() ? stop_->load(std::memory_order_relaxed) : 0,
                                     .failed = failed_,
                                     .alone = alone};
    // The calendars of a crew belong to whoever goes on alone, as soon as he knows that he does.
    const Meeting::Outcome outcome = meeting_.agree(
        mine, [this] { crew_ == nullptr ? look() : void(); }, waited_);
    waits_.store(false, std::memory_order_relaxed);
    if (!goes_on(outcome)) return false;
    if (outcome.alone) {
        stands_aside_ = !leads();
        if (leads()) crew_->gather(windows_.of(outcome.next));
        look();
        return true;
    }
    const Time skipped = windows_.of(outcome.next) - windows_.of(std::min(safe_before, outcome.next));
    const bool was_worth_it = skipped > worthwhile;
    patience_with_telling_ = was_worth_it ? least_patience : std::min(2 * patience_with_telling_, most_patience);
    told_since_window_ = 0;
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
    places_[i].wake = std::exchange(from.places_[i].wake, never);
    clear(from.awake_, i);
    if (places_[i].wake == never) return;
    set(awake_, i);
    next_wake_ = std::min(next_wake_, places_[i].wake);
}

void Worker::take_over(Worker& other) {
    for (LogicalProcess* process : other.processes_) move_wake(other, *process);
    stride_ = std::min(stride_, other.stride_);
    other.next_wake_ = never;
}

void Worker::give_back(Worker& other) {
    for (LogicalProcess* process : other.processes_) other.move_wake(*this, *process);
}

std::uint64_t Worker::events() const {
    std::uint64_t sum = 0;
    for (const LogicalProcess* process : processes_) sum += process->messages_ + process->steps_;
    return sum;
}

// The next window when it may be run, `never` when there is a meeting.
Time Worker::wait_for_window() {
    Patience patience(spin_);
    for (bool waits = false;;) {
        const Time next = failed_ ? never : next_window();
        if (must_stop() && !std::exchange(stop_told_, true)) meeting_.want();
        if (meeting_.wanted()) break;
        const bool wanted = next != never && next <= meeting_.last_window();
        if (wanted && windows_.end(next) <= safe_) {
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
        const bool finished =
            safe_ == never && !processes_.empty() && (!asked_for_end_ || patience.seconds() > long_wait);
        if (finished) asked_for_end_ = true;
        if (starves || failed_ || finished || (next != never && !wanted)) {
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

// A worker stops at the first of its processes that throws, and the others stop after its window. Processes are
// advanced in the order of their numbers, and of all complaints the earliest window and the lowest number
// count, so the one that counts does not depend on the plan.
void Worker::run_window(Time window) {
    const bool measured = meter_.begin(window, waited_);
    chaos_.strike();
    told_since_window_ = 0;
    reached_ = window;
    asked_for_end_ = false;
    windows_run_.store(windows_run_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    const Time until = windows_.end(window);
    if (next_wake_ < until) {
        next_wake_ = never;
        for_each_bit(awake_, [&](std::size_t i) {
            if (places_[i].wake < until) {
                set(active_, i);
            } else {
                next_wake_ = std::min(next_wake_, places_[i].wake);
            }
        });
    }
    if (calendar_.next_window() == window) gather(window);
    try {
        measured ? advance_measured(until) : advance_active(windows_.start(window), until);
    } catch (const Error& error) {
        complain(window, error.code(), error.what());
    } catch (const std::exception& error) {
        complain(window, ExitCode::internal, error.what());
    } catch (...) {
        complain(window, ExitCode::internal, "unknown exception");
    }
    tell();
    meter_.end(waited_);
}

// Takes the messages of a window from the calendar: the arrivals of each process, side by side.
void Worker::gather(Time window) {
    gathered_.clear();
    calendar_.open(window, [this](const Envelope& envelope, std::uint32_t place) {
        gathered_.push_back({envelope.time, envelope.order, place, envelope.receiver});
        ++places_[at(envelope.receiver)].count;
        set(active_, at(envelope.receiver));
    });
    if (recorder_ != nullptr) log(window);
    if (arrivals_.size() < gathered_.size()) arrivals_.resize(gathered_.capacity());
    std::uint32_t total = 0;
    for_each_bit(active_, [&](std::size_t i) {
        places_[i].first = total;
        total += places_[i].count;
    });
    for (const Arrival& arrival : gathered_) arrivals_[places_[at(arrival.receiver)].first++] = arrival;
}

void Worker::log(Time window) {
    if (!recorder_->wants(windows_.start(window), windows_.end(window))) return;
    for (const Arrival& arrival : gathered_) {
        const auto input = static_cast<std::size_t>(order::input_port(arrival.order));
        const LogicalProcess& process = *places_[at(arrival.receiver)].process;
        recorder_->record(calendar_.at(arrival.place), process.inputs_[input].message_size);
    }
}

// Puts the arrivals of a process in order, those of the window that ends then.
LogicalProcess& Worker::make_ready(Place& place, Time until) {
    Arrival* const end = arrivals_.data() + place.first;  // gather() has moved it there
    Arrival* const begin = end - std::exchange(place.count, 0U);
    if (end - begin > 1) sort(begin, end);
    LogicalProcess& process = *place.process;
    process.arrivals_ = begin;
    process.arrivals_end_ = end;
    if (process.hash_.is_due(until)) process.hash_.sample_before(windows_.of(until - 1), windows_);
    return process;
}

void Worker::advance(LogicalProcess& process, Time until) {
    current_.store(process.number_, std::memory_order_relaxed);
    process.advance(until);
}

void Worker::note_wake(std::size_t i) {
    const LogicalProcess& process = *places_[i].process;
    const Time wake = places_[i].wake = process.wake_;
    silence_ |= process.silent_until_ > process.now_;
    next_wake_ = std::min(next_wake_, wake);
    wake == never ? clear(awake_, i) : set(awake_, i);
}

// Each through the whole window. Where there are many, the next one is on its way into the cache meanwhile.
void Worker::advance_in_turn(Time until) {
    const bool many = processes_.size() > 128;
    for_each_bit(active_, [&](std::size_t i) {
        if (many && i + 2 < places_.size()) prefetch(places_[i + 2].process);
        advance(make_ready(places_[i], until), until);
        note_wake(i);
    });
}

// A cycle of each at a time. When one throws, those before it go on to the end of the window: what is complained about
// is then the same as if they had been advanced in turn.
void Worker::advance_side_by_side(Time start, Time until) {
    turn_.clear();
    for_each_bit(active_, [&](std::size_t i) {
        LogicalProcess& process = make_ready(places_[i], until);
        turn_.push_back({&process, process.due()});
    });
    for (Time to = start; to < until;) {
        to = std::min(to + stride_, until);
        for (Due& due : turn_) {
            if (due.time >= to) continue;
            try {
                advance(*due.process, to);
            } catch (...) {
                for (Due* before = turn_.data(); before != &due; ++before) advance(*before->process, until);
                current_.store(due.process->number_, std::memory_order_relaxed);
                throw;
            }
            due.time = due.process->due();
        }
    }
    for (const Due& due : turn_) note_wake(at(due.process->number_));
}

// In turn, as otherwise what each of them takes is not to be told.
void Worker::advance_measured(Time until) {
    meter_.collected();
    for_each_bit(active_, [&](std::size_t i) {
        const std::uint32_t messages = places_[i].count;
        LogicalProcess& process = make_ready(places_[i], until);
        meter_.advance();
        advance(process, until);
        meter_.advanced(process.number_, messages);
        note_wake(i);
    });
    std::fill(active_.begin(), active_.end(), 0);
}

// In the order of their numbers, as far as that matters.
void Worker::advance_active(Time start, Time until) {
    const bool is_trial = interleaving_.is_trial();
    const Clock::time_point begin = is_trial ? Clock::now() : Clock::time_point{};
    if (interleaving_.side_by_side() && stride_ < until - start)
        advance_side_by_side(start, until);
    else
        advance_in_turn(until);
    interleaving_.done(is_trial ? seconds_since(begin) : 0);
    std::fill(active_.begin(), active_.end(), 0);
}

void Worker::complain(Time window, ExitCode code, const std::string& text) {
    const int number = current_.load(std::memory_order_relaxed);
    const Time now = places_[at(number)].process->now_;
    complaints_.push_back({window, number, code, text + " (at time " + std::to_string(now) + ")"});
    failed_ = true;
    // Who works alone has done all that comes before.
    const bool alone = crew_ != nullptr && crew_->alone();
    meeting_.stop_after(alone ? window - 1 : window);
    meeting_.want();
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
    hand_over();
    chaos_.strike();
    const Time next = next_window();
    const Time clock = std::min(next == never ? never : windows_.start(next), safe_);
    if (!silence_) {
        for (const auto& outgoing : outgoing_) outgoing->promise(clock);
    } else {
        for (std::size_t i = 0; i < outgoing_.size(); ++i) outgoing_[i]->promise(std::max(clock, silence(i)));
    }
    if (courier_ != nullptr) courier_->relay();
    ++told_since_window_;
}

// Until when nobody sends anything over a link.
Time Worker::silence(std::size_t outgoing) const {
    Time least = never;
    for (const LogicalProcess* sender : senders_[outgoing]) least = std::min(least, sender->silent_until_);
    return least;
}

Worker::Situation Worker::situation() const {
    const bool waits = waits_.load(std::memory_order_acquire);
    const int waits_for = waits_for_.load(std::memory_order_relaxed);
    Situation situation{current_.load(std::memory_order_relaxed), waits, waits && waits_for == aside, waits_for, 0};
    for (const transport::Incoming& incoming : incoming_)
        if (incoming.sender() == situation.waits_for) situation.promise = incoming.clock();
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
