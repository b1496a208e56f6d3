#include "models/functional/workers.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <exception>
#include <mutex>

#include "engine/threads/allowed_cpus.h"
#include "engine/threads/back_off.h"
#include "engine/threads/run_on_threads.h"
#include "models/functional/work_items.h"

namespace models::functional {

namespace {

int cores() {
    return engine::usable_cpus(engine::allowed_cpus());
}

// A for_each() under way.
class Call {
  public:
    Call(int items, int workers, const std::function<void(int, int)>& work)
        : work_(work),
          items_(items, workers),
          failed_item_(items) {}

    void help(int worker) {
        for (int item = items_.take(worker); item >= 0; item = items_.take(worker)) {
            if (item > failed_item_.load(std::memory_order_relaxed))
                continue;  // whatever comes of it, another failure is reported
            try {
                work_(item, worker);
            } catch (...) {
                const std::lock_guard lock(mutex_);
                if (item < failed_item_.load(std::memory_order_relaxed)) {
                    failed_item_.store(item, std::memory_order_relaxed);
                    failure_ = std::current_exception();
                }
            }
        }
    }
    void finish() const {
        if (failure_) std::rethrow_exception(failure_);
    }

  private:
    const std::function<void(int, int)>& work_;
    WorkItems items_;
    std::mutex mutex_;
    std::exception_ptr failure_;
    std::atomic<int> failed_item_;  // the lowest
};

}  // namespace

// Threads that stand by: they look for a call, join it while it is open, and look for the next one. Alone in a pair of
// cache lines.
class alignas(128) Workers::Team {
  public:
    explicit Team(bool spin) : spin_(spin) {}

    // By every thread but the caller's, until dismissed.
    void serve(int worker) {
        std::uint64_t last = 0;
        engine::BackOff back_off(spin_);
        while (!dismissed_.load(std::memory_order_acquire)) {
            std::uint64_t state = state_.load(std::memory_order_acquire);
            if ((state & open) == 0 || state / first_number == last) {
                back_off.pause();
            } else if (state_.compare_exchange_strong(state, state + 1, std::memory_order_acq_rel)) {
                last = state / first_number;
                call_->help(worker);
                state_.fetch_sub(1, std::memory_order_release);
                back_off = engine::BackOff(spin_);
            }
        }
    }
    // By the caller. Who comes too late to help is not waited for.
    void run(Call& call) {
        const std::uint64_t number = state_.load(std::memory_order_relaxed) / first_number + 1;
        assert((state_.load(std::memory_order_relaxed) & open) == 0);
        call_ = &call;
        state_.store(number * first_number | open, std::memory_order_release);
        call.help(0);
        state_.fetch_and(~open, std::memory_order_relaxed);
        engine::BackOff back_off(spin_);
        while (state_.load(std::memory_order_acquire) % open != 0) back_off.pause();
    }
    void dismiss() { dismissed_.store(true, std::memory_order_release); }

  private:
    // Of the state: how many help with a call; whether it may be joined; its number.
    static constexpr std::uint64_t open = std::uint64_t{1} << 31U, first_number = std::uint64_t{1} << 32U;

    std::atomic<std::uint64_t> state_ = 0;
    Call* call_ = nullptr;
    std::atomic<bool> dismissed_ = false;
    bool spin_;
};

Workers::Workers(int threads) : count_(threads > 0 ? threads : cores()) {}

Workers::~Workers() = default;

void Workers::for_each(int items, const std::function<void(int, int)>& work) const {
    const int workers = std::clamp(items, 1, count_);
    Call call(items, team_ != nullptr ? count_ : workers, work);
    if (workers == 1)
        call.help(0);
    else if (team_ != nullptr)
        team_->run(call);
    else
        engine::run_on_threads(workers, [&](int worker) { call.help(worker); });
    call.finish();
}

void Workers::stand_by(const std::function<void()>& f) const {
    if (count_ == 1 || team_ != nullptr) return f();
    std::exception_ptr failure;
    team_ = std::make_unique<Team>(count_ <= cores());
    try {
        engine::run_on_threads(count_, [&](int worker) {
            if (worker != 0) return team_->serve(worker);
            try {
                f();
            } catch (...) {
                failure = std::current_exception();
            }
            team_->dismiss();
        });
    } catch (...) {
        failure = std::current_exception();
    }
    team_.reset();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace models::functional
