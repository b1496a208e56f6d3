#include "engine/scheduling/worker.h"

#include <algorithm>
#include <utility>

#include "engine/threads/back_off.h"

namespace engine {

namespace {

constexpr unsigned least_limit = 4, most_limit = 4096;  // null messages between two reductions
constexpr double long_wait = 1e-3;                      // seconds
constexpr Time worthwhile = 16;                         // windows that a reduction should skip

}  // namespace

Worker::Worker(int number, std::span<const std::unique_ptr<LogicalProcess>> all, const Windows& windows,
               const Reduction& reduction, bool spin, std::uint64_t fuzz_seed)
    : number_(number),
      spin_(spin),
      windows_(windows),
      scheduler_(all, windows),
      reduction_(reduction),
      jitter_(fuzz_seed, number),
      null_message_limit_(least_limit) {}

transport::Outgoing& Worker::send_to(transport::LinkMemory& memory) {
    return *outgoing_.emplace_back(std::make_unique<transport::Outgoing>(memory));
}

void Worker::receive_from(transport::LinkMemory& memory, int sender, Time lookahead) {
    incoming_.emplace_back(memory, sender, lookahead);
}

// All hand over first, so when the workers say what is next, everything that was sent is in calendars.
bool Worker::reduce() {
    waits_for_.store(-1, std::memory_order_relaxed);
    waits_.store(true, std::memory_order_release);
    const Time safe_before = safe_;
    hand_over();
    reduction_.arrive([this] { drain(); }, waited_);
    drain();
    const Time next = failure_ ? never : scheduler_.next_window();
    const Reduction::Contribution mine{.next = next == never ? never : windows_.start(next),
                                       .last_run = last_run_,
                                       .stop = asked_to_stop(),
                                       .failed = failure_.has_value()};
    const Reduction::Result result = reduction_.reduce(mine, [this] { drain(); }, waited_);
    waits_.store(false, std::memory_order_relaxed);
    if (!goes_on(result)) return false;
    const Time skipped = windows_.of(result.next) - windows_.of(std::min(safe_before, result.next));
    if (skipped > worthwhile)
        null_message_limit_ = least_limit;
    else if (starved_)
        null_message_limit_ = std::min(2 * null_message_limit_, most_limit);
    starved_ = false;
    null_messages_ = 0;
    has_run_ = false;
    lbts_ = result.next;
    drain();
    send_null_messages();
    return true;
}

// A stop lets all come to where the first one is already.
bool Worker::goes_on(const Reduction::Result& result) {
    Time last = result.last_window;
    if (result.stop != 0) {
        last = std::min(last, result.last_run);
        reduction_.stop_after(last);
    }
    if (result.next != never && windows_.of(result.next) <= last) return true;
    ending_.failed = result.failed;
    if (!result.failed && result.next != never) {
        ending_.stopped_after = last;
        ending_.stopped_by = result.stop;
    }
    return false;
}

// The next window when it may be run, `never` when there is a reduction. After a reduction a runnable worker runs one
// window before it joins the next, so workers without work cannot starve it.
Time Worker::wait_for_window() {
    BackOff back_off(spin_);
    for (bool waits = false;;) {
        const Time next = failure_ ? never : scheduler_.next_window();
        if (!passed_on_stop_ && asked_to_stop() != 0) {
            passed_on_stop_ = true;
            reduction_.request();
        }
        const bool wanted = next != never && next <= reduction_.last_window();
        const bool runnable = wanted && windows_.end(next) <= safe_;
        if (reduction_.requested() && (has_run_ || !runnable)) break;
        if (runnable) {
            if (waits) waits_.store(false, std::memory_order_relaxed);
            waited_ += back_off.seconds();
            return next;
        }
        const Time before = safe_;
        if (!jitter_.skips_poll()) drain();
        if (safe_ != before) {
            send_null_messages();
            continue;
        }
        const bool starves =
            null_messages_ > null_message_limit_ || (null_messages_ > least_limit && back_off.seconds() > long_wait);
        // Others may have more to do: a worker that is through does not hold them up by asking again and again.
        const bool finished =
            failure_ || (next != never && !wanted) || (safe_ == never && !scheduler_.processes().empty());
        const bool asks = finished && (!asked_for_end_ || back_off.seconds() > long_wait);
        if (asks) asked_for_end_ = true;
        if (starves || asks) {
            starved_ = starves;
            reduction_.request();
            continue;
        }
        waits_for_.store(blocking_, std::memory_order_relaxed);
        if (!std::exchange(waits, true)) waits_.store(true, std::memory_order_release);
        back_off.pause();
    }
    waited_ += back_off.seconds();
    return never;
}

void Worker::run_window(Time window) {
    const bool measured = scheduler_.meter().begin(window, waited_);
    jitter_.delay();
    null_messages_ = 0;
    has_run_ = true;
    const bool two = !measured && window < reduction_.last_window() && scheduler_.takes_two(window);
    const unsigned windows = two ? 2 : 1;
    last_run_ = window + windows - 1;
    asked_for_end_ = false;
    windows_run_.store(windows_run_.load(std::memory_order_relaxed) + windows, std::memory_order_relaxed);
    if (std::optional<Failure> failure = two ? scheduler_.run_two(window) : scheduler_.run(window, measured)) {
        failure_ = std::move(failure);
        reduction_.stop_after(failure_->window);
        reduction_.request();
    }
    send_null_messages();
    scheduler_.meter().end(waited_, windows);
}

// First the clocks: what was sent before a clock was set is then in the ring.
void Worker::drain() {
    if (transport_ != nullptr) transport_->progress();
    Time safe = never;
    for (const transport::Incoming& incoming : incoming_) {
        const Time bound = std::max(incoming.clock(), lbts_) + incoming.lookahead();
        if (bound < safe) {
            safe = bound;
            blocking_ = incoming.sender();
        }
    }
    jitter_.delay();
    for (transport::Incoming& incoming : incoming_) incoming.drain(scheduler_.calendar());
    safe_ = safe;
}

// Drains its own rings while it waits for room in another one: two full rings cannot deadlock.
void Worker::hand_over() {
    for (const auto& outgoing : outgoing_) {
        if (outgoing->flush()) continue;
        BackOff back_off(spin_);
        while (!outgoing->flush()) {
            drain();
            back_off.pause();
        }
        waited_ += back_off.seconds();
    }
}

void Worker::send_null_messages() {
    ++null_messages_;
    if (outgoing_.empty() && transport_ == nullptr) return;
    hand_over();
    jitter_.delay();
    const Time next = scheduler_.next_window();
    const Time clock = std::min(next == never ? never : windows_.start(next), safe_);
    for (const auto& outgoing : outgoing_) outgoing->set_clock(clock);
    if (transport_ != nullptr) transport_->progress();
}

Worker::Situation Worker::situation() const {
    const bool waits = waits_.load(std::memory_order_acquire);
    Situation situation{scheduler_.current(), waits, waits_for_.load(std::memory_order_relaxed), 0, 0};
    for (const transport::Incoming& incoming : incoming_)
        if (incoming.sender() == situation.waits_for) {
            situation.clock = incoming.clock();
            situation.lookahead = incoming.lookahead();
        }
    return situation;
}

std::uint64_t Worker::null_messages() const {
    std::uint64_t sum = 0;
    for (const auto& outgoing : outgoing_) sum += outgoing->null_messages();
    return sum;
}

std::uint64_t Worker::backlog_mark() const {
    std::size_t most = 0;
    for (const auto& outgoing : outgoing_) most = std::max(most, outgoing->most_gathered());
    return most;
}

}  // namespace engine
