// ThreadPlacement: keeps threads that wait for each other on different CPUs. A thread that is woken often starts on the
// CPU of the one that woke it, also where others are idle, and Linux may take 50 ms to move it: until then the two
// share a CPU. So threads publish where they are, and one that waits long leaves the CPU of another one. Afterwards the
// system may move it again (in contrast to engine/threads/pinning.h).
#pragma once

#include <atomic>
#include <cstddef>
#include <vector>

namespace engine {

class ThreadPlacement {
  public:
    explicit ThreadPlacement(int threads) : cpus_(static_cast<std::size_t>(threads)) {}

    // The calling thread is one of them as long as this lives.
    class Member {
      public:
        Member(ThreadPlacement& spread, int thread);
        ~Member();
        Member(const Member&) = delete;
        Member& operator=(const Member&) = delete;

      private:
        friend class ThreadPlacement;
        ThreadPlacement& spread_;
        std::size_t thread_;
        Member* before_;  // of other threads that the calling one was one of
    };

    // By a thread that is going to wait for long. If it is one of several and on the CPU where one of the others was
    // when that one said so last, it moves to one that it may use and on which no other thread is said to be, if there
    // is one. It may run everywhere then that it might before.
    static void settle();

  private:
    void settle(std::size_t thread);

    static constexpr int nowhere = 0;
    std::vector<std::atomic<int>> cpus_;  // by thread: 1 + the number of its CPU, or `nowhere`
};

}  // namespace engine
