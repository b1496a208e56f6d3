// ThreadPlacement: has threads that wait for each other run on different CPUs. One that is woken often starts on the
// CPU of the thread that woke it, also where others are idle, and it may take Linux 50 ms to move it: until then the
// two take turns. So threads tell each other where they are, and who waits long moves away from one of the others.
// Nobody is kept where he is put (that is engine/threads/pinning.h).
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
    // when that one said so last, it moves to another one that it may use and that nobody has said to be on, if there
    // is one. It may run everywhere then that it might before.
    static void settle();

  private:
    void settle(std::size_t thread);

    static constexpr int nowhere = 0;
    std::vector<std::atomic<int>> cpus_;  // by thread: 1 + the number of its CPU, or `nowhere`
};

}  // namespace engine
