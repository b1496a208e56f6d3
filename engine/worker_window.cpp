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
    for (std::size_t line = 0; line < 6; ++line) __builtin_prefetch(bytes + 64 * line);
}

// Functions for what is seldom are not inlined: everything else would pay for the registers they save.
constexpr std::size_t few = 24;  // messages of a process in a window, as in most windows
[[gnu::noinline]] void sort(Arrival* begin, Arrival* end) {
    std::sort(begin, end);
}

}  // namespace

// A worker stops at the first of its processes that throws, and the others stop after its window. Processes are
// advanced in the order of their numbers, and of all complaints the earliest window and the lowest number
// count, so the one that counts does not depend on the plan.
void Worker::run_window(Time window) {
    const bool measured = meter_.begin(window, waited_);
    chaos_.strike();
    told_since_window_ = 0;
    has_run_ = true;
    reached_ = window;
    asked_for_end_ = false;
    windows_run_.store(windows_run_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    try {
        const Time until = windows_.end(window);
        try {
            measured ? advance_measured(until) : advance_active(until);
        } catch (...) {
            advance_before(current_.load(std::memory_order_relaxed), until);
            throw;
        }
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

// Takes the messages of the window from the calendar: each process gets a list of its own.
void Worker::gather(Time until) {
    const Time window = windows_.of(until - 1);
    std::size_t count = 0;
    if (calendar_.next_window() == window) {
        Place* const places = places_.data();
        std::uint64_t* const active = active_.data();
        calendar_.open(window, [&](Envelope& message, std::uint32_t place) {
            const auto receiver = static_cast<std::uint32_t>(message.receiver);
            message.next = std::exchange(places[receiver].first, place);
            active[receiver / 64] |= std::uint64_t{1} << receiver % 64;
            ++count;
        });
    }
    if (count + few > arrivals_.size()) [[unlikely]]  // make_ready() points that far
        arrivals_.resize(std::bit_ceil(count + few));
    arrivals_end_ = arrivals_.data();
}

// The messages of the window that ends then.
void Worker::log(Time until) {
    if (!recorder_->wants(until - windows_.length(), until)) return;
    for_each_bit(active_, [&](std::size_t i) {
        for (std::uint32_t place = places_[i].first; place != MessagePool::none; place = calendar_.pool()[place].next) {
            const Envelope& message = calendar_.pool()[place];
            const auto input = static_cast<std::size_t>(order::input_port(message.order));
            recorder_->record(message, places_[i].process->inputs_[input].message_size);
        }
    });
}

// Those with messages in the window, and if somebody wakes in it, those with wake-ups.
void Worker::collect_due(Time until) {
    gather(until);
    if (recorder_ != nullptr) log(until);
    const bool some_wake = next_wake_ < until;
    if (some_wake) next_wake_ = never;
    for (std::size_t word = 0; word < due_.size(); ++word)
        due_[word] = std::exchange(active_[word], 0) | (some_wake ? awake_[word] : 0);
}

// Calls f(place) for every process with something to do in the window, and looks when the others will have. f tells
// note_wake() in the end.
template <class F>
void Worker::for_each_due(Part part, Time until, F f) {
    for (std::size_t word = 0; word < due_.size(); ++word) {
        for (std::uint64_t rest = due_[word] & members(part, word); rest != 0; rest &= rest - 1) {
            Place& place = places_[word * 64 + static_cast<std::size_t>(std::countr_zero(rest))];
            if (place.first != MessagePool::none) {
                make_ready(place, until);
            } else if (place.wake >= until) {
                next_wake_ = std::min(next_wake_, place.wake);
                continue;
            }
            f(place);
        }
    }
}

std::uint64_t Worker::members(Part part, std::size_t word) const {
    if (!has_others_) return ~std::uint64_t{0};
    return part == Part::urgent ? urgent_[word] : ~urgent_[word];
}

// Puts the messages of a process in order, those of the window that ends then.
void Worker::make_ready(Place& place, Time until) {
    LogicalProcess& process = *place.process;
    Arrival* const begin = arrivals_end_;
    Arrival* const limit = begin + few;
    Arrival* end = begin;
    std::uint32_t next = std::exchange(place.first, MessagePool::none);
    do {
        const Envelope& message = calendar_.pool()[next];
        const Arrival arrival{message.time, message.order, next};
        next = message.next;
        Arrival* to = end++;
        if (to < limit) {
            for (; to != begin && arrival < to[-1]; --to) *to = to[-1];
        }
        *to = arrival;
    } while (next != MessagePool::none);
    arrivals_end_ = end;
    process.arrivals_ = begin;
    process.arrivals_end_ = end;
    if (end > limit) [[unlikely]]
        sort(begin, end);
    if (process.note_messages(end - begin, until)) [[unlikely]]
        sample(process, until);
}

[[gnu::noinline]] void Worker::sample(LogicalProcess& process, Time until) const {
    process.hash_.sample_before(windows_.of(until - 1), windows_);
}

void Worker::advance(LogicalProcess& process, Time until) {
    current_.store(process.number_, std::memory_order_relaxed);
    process.advance(until);
}

inline void Worker::note_wake(Place& place) {
    const LogicalProcess& process = *place.process;
    const Time wake = process.wake_;
    next_wake_ = std::min(next_wake_, wake);
    if ((place.wake == never) != (wake == never)) flip(awake_, at(process.number_));
    place.wake = wake;
}

// Each through the whole window. Where there are many, the next one is on its way into the cache meanwhile.
void Worker::advance_in_turn(Part part, Time until) {
    const Place* const last = places_.data() + (processes_.size() > 128 ? places_.size() - 2 : 0);
    const auto prefetch_message = [this](std::uint32_t place) {
        if (place != MessagePool::none) __builtin_prefetch(&calendar_.pool()[place]);
    };
    for_each_due(part, until, [&](Place& place) {
        if (&place < last) {
            prefetch((&place + 2)->process);
            prefetch_message((&place + 2)->first);
        }
        advance(*place.process, until);
        note_wake(place);
    });
}

void Worker::advance_measured(Time until) {
    collect_due(until);
    meter_.collected();
    in_parts(until, [&](Part part) {
        for_each_due(part, until, [&](Place& place) {
            LogicalProcess& process = *place.process;
            const auto messages = static_cast<std::uint32_t>(process.arrivals_end_ - process.arrivals_);
            if (causes_ != nullptr) causes_->consume(process.number_, {process.arrivals_, messages});
            advance(process, until);
            meter_.advanced(process.number_, messages);
            if (causes_ != nullptr) causes_->note_sent(process.number_);
            note_wake(place);
        });
    });
}

void Worker::advance_active(Time until) {
    collect_due(until);
    in_parts(until, [&](Part part) { advance_in_turn(part, until); });
}

// Those first that others wait for, as soon as they are through.
template <class F>
void Worker::in_parts(Time until, F advance_part) {
    if (has_others_) {
        advance_part(Part::urgent);
        tell_early(until);
    }
    advance_part(Part::rest);
}

// One has thrown: those with lower numbers go on to the end of the window, as one of them may throw, too, and is then
// the one that counts.
void Worker::advance_before(int thrower, Time until) {
    for_each_bit(mine_, [&](std::size_t i) {
        Place& place = places_[i];
        if (place.process->number_ >= thrower) return;
        if (place.first != MessagePool::none) make_ready(place, until);
        advance(*place.process, until);
    });
    current_.store(thrower, std::memory_order_relaxed);
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
