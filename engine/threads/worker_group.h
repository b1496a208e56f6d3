// WorkerGroup: threads that do one thing after the other together. In between they stay awake for a while, as it takes
// milliseconds to wake a thread that sleeps, or one that shares a CPU with another one.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

namespace engine {

class WorkerGroup {
  public:
    // Calls lead(group) on the calling thread, and throws what it throws. `spin`: every thread has a core of its own.
    static void run(int threads, bool spin, const std::function<void(WorkerGroup&)>& lead);

    // By lead(): calls work(0) on this thread, work(1) on the next one and so on, and returns when all have. work must
    // not throw; the calls may wait for each other.
    void all(const std::function<void(int)>& work);

  private:
    WorkerGroup(int threads, bool spin) : threads_(threads), spin_(spin) {}
    void follow(int thread);
    std::uint64_t wait_after(std::uint64_t round) const;
    void begin_round(const std::function<void(int)>* work);

    const int threads_;
    const bool spin_;
    const std::function<void(int)>* work_ = nullptr;  // of this round; null: the last one
    alignas(128) std::atomic<std::uint64_t> round_ = 0;
    alignas(128) std::atomic<int> done_ = 0;  // threads, but for the first, with their part of the round
};

}  // namespace engine
