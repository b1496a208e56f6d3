#include "engine/threads/worker_group.h"

#include <exception>

#include "engine/threads/back_off.h"
#include "engine/threads/run_on_threads.h"

namespace engine {

namespace {

constexpr double long_wait = 20e-3;  // seconds

}  // namespace

void WorkerGroup::run(int threads, bool spin, const std::function<void(WorkerGroup&)>& lead) {
    WorkerGroup group(threads, spin);
    std::exception_ptr thrown;
    run_on_threads(threads, [&](int thread) {
        if (thread > 0) return group.follow(thread);
        try {
            lead(group);
        } catch (...) {
            thrown = std::current_exception();
        }
        group.begin_round(nullptr);
    });
    if (thrown) std::rethrow_exception(thrown);
}

void WorkerGroup::all(const std::function<void(int)>& work) {
    done_.store(0, std::memory_order_relaxed);
    begin_round(&work);
    work(0);
    BackOff back_off(spin_);
    while (done_.load(std::memory_order_acquire) < threads_ - 1) back_off.pause();
}

void WorkerGroup::begin_round(const std::function<void(int)>* work) {
    work_ = work;
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
}

void WorkerGroup::follow(int thread) {
    for (std::uint64_t round = 0;;) {
        round = wait_after(round);
        if (work_ == nullptr) return;
        (*work_)(thread);
        done_.fetch_add(1, std::memory_order_release);
    }
}

// Awake at first, then asleep: the first thread may be at work alone for the rest of a run.
std::uint64_t WorkerGroup::wait_after(std::uint64_t round) const {
    BackOff back_off(spin_);
    while (round_.load(std::memory_order_acquire) == round)
        if (back_off.seconds() > long_wait)
            round_.wait(round, std::memory_order_acquire);
        else
            back_off.pause();
    return round + 1;
}

}  // namespace engine
