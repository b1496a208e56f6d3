// The threads of the functional renderer. Work items are independent of each other; which thread takes which item
// never shows in a result: items write to places of their own, and `worker` selects scratch memory only.
#pragma once

#include <functional>
#include <memory>

namespace models::functional {

class Workers {
  public:
    explicit Workers(int threads);  // 0: as many as the machine has
    ~Workers();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    int count() const { return count_; }

    // Calls work(item, worker) once for every item below `items`; worker < count(). A single item runs on the calling
    // thread. When items throw, all others still run, and the exception of the lowest item is thrown again.
    void for_each(int items, const std::function<void(int item, int worker)>& work) const;

  private:
    struct Arena;
    int count_ = 1;
    std::unique_ptr<Arena> arena_;
};

}  // namespace models::functional
