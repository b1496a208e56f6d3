#include "engine/scheduling/scheduler.h"

#include <algorithm>
#include <bit>
#include <exception>
#include <utility>

#include "engine/scheduling/bits.h"

namespace engine {

namespace {

void prefetch(const LogicalProcess* process) {
    const auto* bytes = reinterpret_cast<const std::byte*>(process);
    for (std::size_t line = 0; line < 6; ++line) __builtin_prefetch(bytes + 64 * line);
}

// Cold paths are not inlined: their register spills would slow the hot path.
constexpr std::size_t few = 24;  // messages of a process in a window, as in most windows
[[gnu::noinline]] void sort(Arrival* begin, Arrival* end) {
    std::sort(begin, end);
}

}  // namespace

Scheduler::Scheduler(std::span<const std::unique_ptr<LogicalProcess>> all, const Windows& windows)
    : windows_(windows),
      calendar_(windows),
      awake_((all.size() + 63) / 64),
      active_(awake_.size()),
      due_(awake_.size()),
      meter_(all.size()) {
    for (const auto& process : all) slots_.push_back({process.get(), never, MessagePool::none});
}

void Scheduler::add(LogicalProcess& process) {
    processes_.push_back(&process);
    process.messages_ = process.steps_ = 0;
    process.calendar_ = &calendar_;
    process.pool_ = &calendar_.pool();
    process.arrivals_ = process.arrivals_end_ = nullptr;
    slots_[at(process)].wake = process.wake_;
    if (process.wake_ == never) return;
    set(awake_, at(process));
    next_wake_ = std::min(next_wake_, process.wake_);
}

void Scheduler::widen(const std::vector<bool>& wide) {
    wide_.assign(awake_.size(), 0);
    narrow_.assign(awake_.size(), 0);
    for (const LogicalProcess* process : processes_) set(wide[at(*process)] ? wide_ : narrow_, at(*process));
}

// What f throws, which is in one of these windows.
template <class F>
std::optional<Failure> Scheduler::attempt(Time first, Time last, F f) {
    try {
        f();
    } catch (const Error& error) {
        return failure(first, last, error.code(), error.what());
    } catch (const std::exception& error) {
        return failure(first, last, ExitCode::internal, error.what());
    } catch (...) {
        return failure(first, last, ExitCode::internal, "unknown exception");
    }
    return std::nullopt;
}

std::optional<Failure> Scheduler::run(Time window, bool measured) {
    gathered_ = 0;
    return attempt(window, window, [&] {
        collect_due(window);
        measured ? advance_measured(windows_.end(window)) : advance_due(windows_.end(window));
    });
}

std::optional<Failure> Scheduler::run_two(Time window) {
    gathered_ = 0;
    std::optional<Failure> failed = run_part(narrow_, window, window);
    if (!failed) {
        next_wake_ = never;  // the others say below when they wake, and the narrow ones once more
        failed = run_part(wide_, window, window + 1);
        if (!failed) return run_part(narrow_, window + 1, window + 1);
    }
    return first_failure(std::move(*failed), window);
}

// Advances the processes of a part through these windows, of which what came before is done.
std::optional<Failure> Scheduler::run_part(const Bits& part, Time first, Time last) {
    return attempt(first, last, [&] {
        for (Time window = first; window <= last; ++window) gather(window);
        for (std::size_t word = 0; word < due_.size(); ++word) {
            due_[word] = (active_[word] | awake_[word]) & part[word];
            active_[word] &= ~part[word];
        }
        advance_due(windows_.end(last));
    });
}

// Where a process has thrown in this window or the next one: the failure that counts, as if all had gone window by
// window. Those that would have come before it do what they had not done.
Failure Scheduler::first_failure(Failure failure, Time window) {
    const auto those = [](const Bits& part, auto wanted) {
        Bits some(part.size());
        for_each_bit(part, [&](std::size_t i) {
            if (wanted(static_cast<int>(i))) set(some, i);
        });
        return some;
    };
    const int number = failure.process;
    const auto is_before = [&](int other) { return other < number; };
    if (!has(wide_, static_cast<std::size_t>(number)))
        return run_part(those(wide_, is_before), window, window).value_or(failure);
    if (failure.window == window) return failure;
    for (int last = number;;) {  // the wide ones behind it, up to the end of the first window
        const std::optional<Failure> other = attempt(window, window + 1, [&] {
            due_ = those(due_, [&](int i) { return i > last; });
            advance_due(windows_.end(window));
        });
        if (!other) break;
        if (other->window == window) return *other;
        last = other->process;  // took what came in the next window, too
    }
    return run_part(those(narrow_, is_before), window + 1, window + 1).value_or(failure);
}

// Takes the messages of the window from the calendar: each process gets a list of its own.
void Scheduler::gather(Time window) {
    if (calendar_.next_window() == window) {
        Slot* const slots = slots_.data();
        std::uint64_t* const active = active_.data();
        calendar_.open(window, [&](Envelope& message, std::uint32_t place) {
            const auto receiver = static_cast<std::uint32_t>(message.receiver);
            message.next = std::exchange(slots[receiver].first, place);
            active[receiver / 64] |= std::uint64_t{1} << receiver % 64;
            ++gathered_;
        });
    }
    if (gathered_ + few > arrivals_.size()) [[unlikely]]  // order_arrivals() points that far
        arrivals_.resize(std::bit_ceil(gathered_ + few));
    arrivals_end_ = arrivals_.data();
}

void Scheduler::log(Time until) {
    if (!recorder_->wants(until - windows_.length(), until)) return;
    const MessagePool& pool = calendar_.pool();
    for_each_bit(active_, [&](std::size_t i) {
        for (std::uint32_t place = slots_[i].first; place != MessagePool::none; place = pool[place].next) {
            const auto input = static_cast<std::size_t>(order::input_port(pool[place].order));
            recorder_->record(pool[place], slots_[i].process->inputs_[input].message_size);
        }
    });
}

// Those with messages in the window, and if any process wakes in it, all that wake at all.
void Scheduler::collect_due(Time window) {
    const Time until = windows_.end(window);
    gather(window);
    if (recorder_ != nullptr) log(until);
    const bool some_wake = next_wake_ < until;
    if (some_wake) next_wake_ = never;
    for (std::size_t word = 0; word < due_.size(); ++word)
        due_[word] = std::exchange(active_[word], 0) | (some_wake ? awake_[word] : 0);
}

// Calls f(slot) for every process with something to do in the window, and notes when the others have. f calls
// note_wake() in the end.
template <class F>
void Scheduler::for_each_due(Time until, F f) {
    for (std::size_t word = 0; word < due_.size(); ++word) {
        for (std::uint64_t rest = due_[word]; rest != 0; rest &= rest - 1) {
            Slot& slot = slots_[word * 64 + static_cast<std::size_t>(std::countr_zero(rest))];
            if (slot.first != MessagePool::none) {
                order_arrivals(slot, until);
            } else if (slot.wake >= until) {
                next_wake_ = std::min(next_wake_, slot.wake);
                continue;
            }
            f(slot);
        }
    }
}

// Puts the messages of a process in order, those of the window that ends then.
void Scheduler::order_arrivals(Slot& slot, Time until) {
    const MessagePool& pool = calendar_.pool();
    LogicalProcess& process = *slot.process;
    Arrival* const begin = arrivals_end_;
    Arrival* const limit = begin + few;
    Arrival* end = begin;
    std::uint32_t next = std::exchange(slot.first, MessagePool::none);
    do {
        const Envelope& message = pool[next];
        const Arrival arrival{message.time, message.order, next};
        next = message.next;
        Arrival* to = end++;
        if (to < limit)
            for (; to != begin && arrival < to[-1]; --to) *to = to[-1];
        *to = arrival;
    } while (next != MessagePool::none);
    arrivals_end_ = end;
    process.arrivals_ = begin;
    process.arrivals_end_ = end;
    if (end > limit) [[unlikely]]
        sort(begin, end);
    process.messages_ += static_cast<std::uint64_t>(end - begin);
    if (process.hash_.is_due(until)) [[unlikely]]
        sample(process, until);
}

[[gnu::noinline]] void Scheduler::sample(LogicalProcess& process, Time until) const {
    process.hash_.sample_before(windows_.of(until - 1), windows_);
}

void Scheduler::advance(LogicalProcess& process, Time until) {
    current_.store(process.number_, std::memory_order_relaxed);
    process.advance(until);
}

inline void Scheduler::note_wake(Slot& slot) {
    const Time wake = slot.process->wake_;
    next_wake_ = std::min(next_wake_, wake);
    if ((slot.wake == never) != (wake == never)) flip(awake_, at(*slot.process));
    slot.wake = wake;
}

// Where there are many processes, the next but one is on its way into the cache meanwhile.
void Scheduler::advance_due(Time until) {
    const Slot* const last = slots_.data() + (processes_.size() > 128 ? slots_.size() - 2 : 0);
    for_each_due(until, [&](Slot& slot) {
        if (&slot < last) {
            const Slot& soon = (&slot)[2];
            prefetch(soon.process);
            if (soon.first != MessagePool::none) __builtin_prefetch(&calendar_.pool()[soon.first]);
        }
        advance(*slot.process, until);
        note_wake(slot);
    });
}

void Scheduler::advance_measured(Time until) {
    meter_.collected();
    for_each_due(until, [&](Slot& slot) {
        LogicalProcess& process = *slot.process;
        const auto messages = static_cast<std::uint32_t>(process.arrivals_end_ - process.arrivals_);
        if (causes_ != nullptr) causes_->consume(process.number_, {process.arrivals_, messages});
        advance(process, until);
        meter_.advanced(process.number_, messages);
        if (causes_ != nullptr) causes_->note_sent(process.number_);
        note_wake(slot);
    });
}

Failure Scheduler::failure(Time first, Time last, ExitCode code, const std::string& text) const {
    const Time now = slots_[static_cast<std::size_t>(current())].process->now();
    return {std::clamp(windows_.of(now), first, last), current(), code,
            text + " (at time " + std::to_string(now) + ")"};
}

void Scheduler::report(RunReport& report) const {
    for (const LogicalProcess* process : processes_) {
        report.end = std::max(report.end, process->now_);
        report.messages += process->messages_;
        report.steps += process->steps_;
        report.profile.processes[at(*process)].messages = process->messages_;
    }
}

}  // namespace engine
