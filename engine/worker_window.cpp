// What a worker does in a window, by itself: it takes the messages of the window from its calendar and advances its
// processes. What it has to do with other workers is in worker.cpp.
#include <algorithm>
#include <bit>
#include <exception>
#include <span>
#include <utility>

#include "engine/bits.h"
#include "engine/patience.h"
#include "engine/worker.h"

namespace engine {

namespace {

std::size_t at(int number) {
    return static_cast<std::size_t>(number);
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

// Takes the messages of a window from the calendar: those of each process, side by side.
void Worker::gather(Time window) {
    gathered_.clear();
    calendar_.open(window, [this](const Envelope& envelope, std::uint32_t place) {
        gathered_.push_back({envelope.time, envelope.order, place, envelope.receiver});
        ++places_[at(envelope.receiver)].count;
        set(active_, at(envelope.receiver));
    });
    if (recorder_ != nullptr) log(window);
    if (arrivals_.size() < gathered_.size()) arrivals_.resize(gathered_.capacity());
    Arrival* next = arrivals_.data();
    for_each_bit(active_, [&](std::size_t i) {
        places_[i].arrivals = next;
        next += places_[i].count;
    });
    for (const Arrival& arrival : gathered_) *places_[at(arrival.receiver)].arrivals++ = arrival;
}

void Worker::log(Time window) {
    if (!recorder_->wants(windows_.start(window), windows_.end(window))) return;
    for (const Arrival& arrival : gathered_) {
        const auto input = static_cast<std::size_t>(order::input_port(arrival.order));
        const LogicalProcess& process = *places_[at(arrival.receiver)].process;
        recorder_->record(calendar_.at(arrival.place), process.inputs_[input].message_size);
    }
}

// Calls f(number) for every process with something to do in the window, and looks when the others will have. f tells
// note_wake() in the end.
template <class F>
void Worker::for_each_due(Time until, F f) {
    const bool some_wake = next_wake_ < until;
    if (some_wake) next_wake_ = never;
    for (std::size_t word = 0; word < active_.size(); ++word) {
        std::uint64_t rest = std::exchange(active_[word], 0) | (some_wake ? awake_[word] : 0);
        for (; rest != 0; rest &= rest - 1) {
            const std::size_t i = word * 64 + static_cast<std::size_t>(std::countr_zero(rest));
            const Place& place = places_[i];
            if (place.wake >= until && place.count == 0)
                next_wake_ = std::min(next_wake_, place.wake);
            else
                f(i);
        }
    }
}

// Puts the messages of a process in order, those of the window that ends then.
LogicalProcess& Worker::make_ready(Place& place, Time until) {
    LogicalProcess& process = *place.process;
    if (place.count == 0) return process;
    Arrival* const end = place.arrivals;  // gather() has moved it there
    Arrival* const begin = end - std::exchange(place.count, 0U);
    if (end - begin > 1) sort(begin, end);
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
    Place& place = places_[i];
    const LogicalProcess& process = *place.process;
    silence_ |= process.silent_until_ > process.now_;
    next_wake_ = std::min(next_wake_, process.wake_);
    if (place.wake == process.wake_) return;
    place.wake = process.wake_;
    place.wake == never ? clear(awake_, i) : set(awake_, i);
}

// Each through the whole window. Where there are many, the next one is on its way into the cache meanwhile.
void Worker::advance_in_turn(Time until) {
    const bool many = processes_.size() > 128;
    for_each_due(until, [&](std::size_t i) {
        if (many && i + 2 < places_.size()) prefetch(places_[i + 2].process);
        advance(make_ready(places_[i], until), until);
        note_wake(i);
    });
}

// A cycle of each at a time. When one throws, those before it go on to the end of the window: what is complained about
// is then the same as if they had been advanced in turn.
void Worker::advance_side_by_side(Time start, Time until) {
    line_up(until);
    try {
        for (Time to = start; to < until;) {
            to = std::min(to + stride_, until);
            std::size_t begin = 0;
            for (const std::size_t end : groups_) {
                const std::span<Due> group = std::span(turn_).subspan(begin, end - begin);
                group[0].process->advance_each(group, to, current_);
                begin = end;
            }
        }
    } catch (...) {
        const int thrower = current_.load(std::memory_order_relaxed);
        for (const Due& due : turn_) {
            if (due.number == thrower) break;
            advance(*due.process, until);
        }
        current_.store(thrower, std::memory_order_relaxed);
        throw;
    }
    for (const Due& due : turn_) note_wake(at(due.number));
}

void Worker::line_up(Time until) {
    turn_.clear();
    groups_.clear();
    const std::type_info* type = nullptr;
    for_each_due(until, [&](std::size_t i) {
        if (places_[i].type != type && type != nullptr) groups_.push_back(turn_.size());
        type = places_[i].type;
        LogicalProcess& process = make_ready(places_[i], until);
        turn_.push_back({&process, process.due(), static_cast<int>(i)});
    });
    groups_.push_back(turn_.size());
}

void Worker::advance_measured(Time until) {
    meter_.collected();
    for_each_due(until, [&](std::size_t i) {
        LogicalProcess& process = make_ready(places_[i], until);
        const auto messages = static_cast<std::uint32_t>(process.arrivals_end_ - process.arrivals_);
        meter_.advance();
        advance(process, until);
        meter_.advanced(process.number_, messages);
        note_wake(i);
    });
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

}  // namespace engine
