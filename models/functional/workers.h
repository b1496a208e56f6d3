// The threads of the functional renderer. Work items are independent of each other; which thread takes which item
// never shows in a result: items write to places of their own, and `worker` selects scratch memory only.
#pragma once

#include <functional>

namespace models::functional {

class Workers {
  public:
    explicit Workers(int threads);  // 0: as many as the machine has

    int count() const { return count_; }

    // Calls work(item, worker) once for every item below `items`; worker < count(). A single item runs on the calling
    // thread. When items throw, all others still run, and the exception of the lowest item is thrown again.
    void for_each(int items, const std::function<void(int item, int worker)>& work) const;

  private:
    int count_ = 1;
};

}  // namespace models::functional
