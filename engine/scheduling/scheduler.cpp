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

std::optional<Failure> Scheduler::run(Time window, bool measured) {
    try {
        collect_due(window);
        measured ? advance_measured(windows_.end(window)) : advance_due(windows_.end(window));
    } catch (const Error& error) {
        return failure(window, error.code(), error.what());
    } catch (const std::exception& error) {
        return failure(window, ExitCode::internal, error.what());
    } catch (...) {
        return failure(window, ExitCode::internal, "unknown exception");
    }
    return std::nullopt;
}

// Takes the messages of the window from the calendar: each process gets a list of its own.
void Scheduler::gather(Time window) {
    std::size_t count = 0;
    if (calendar_.next_window() == window) {
        Slot* const slots = slots_.data();
        std::uint64_t* const active = active_.data();
        calendar_.open(window, [&](Envelope& message, std::uint32_t place) {
            const auto receiver = static_cast<std::uint32_t>(message.receiver);
            message.next = std::exchange(slots[receiver].first, place);
            active[receiver / 64] |= std::uint64_t{1} << receiver % 64;
            ++count;
        });
    }
    if (count + few > arrivals_.size()) [[unlikely]]  // order_arrivals() points that far
        arrivals_.resize(std::bit_ceil(count + few));
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

Failure Scheduler::failure(Time window, ExitCode code, const std::string& text) const {
    const Time now = slots_[static_cast<std::size_t>(current())].process->now();
    return {window, current(), code, text + " (at time " + std::to_string(now) + ")"};
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
