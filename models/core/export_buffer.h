// The order of finished warps: warps leave the slots of a core as they finish, and wait here until all older ones have
// gone on. Plain data: no time.
#pragma once

#include <cstdint>

#include "models/structures/ring_queue.h"

namespace models {

// `Work`: what a host knows of a warp.
template <class Work>
class ExportBuffer {
  public:
    // `resident`: warps in slots; `entries`: finished ones that may wait, beside the oldest of all.
    ExportBuffer(std::size_t resident, std::size_t entries) : warps_(resident + entries + 1), entries_(entries) {}

    // A warp starts. Returns its name, of which the low 31 bits count.
    std::uint32_t push(const Work& work) {
        warps_.push({work, 0});
        return warps_.end_number() - 1;
    }
    // A finished warp may leave its slot.
    bool has_room_for(std::uint32_t name) const {
        return waiting_ < entries_ || (name - warps_.first_number()) << 1U == 0;
    }
    void finish(std::uint32_t name) {
        warps_.numbered(name).finished = 1;
        ++waiting_;
        if (!is_ready_) look_at_oldest();
    }

    // The oldest warp has finished.
    bool is_ready() const { return is_ready_; }
    const Work& front() const { return warps_.front().work; }
    void pop() {
        warps_.pop();
        look_at_oldest();
    }
    bool is_empty() const { return warps_.empty(); }

    void serialize(engine::Archive& archive) { archive(warps_, waiting_, is_ready_); }

  private:
    struct Warp {
        Work work = {};
        std::uint32_t finished = 0;
        void serialize(engine::Archive& archive) { archive(work, finished); }
    };
    // The oldest one takes no entry, also while its host hands it on.
    void look_at_oldest() {
        is_ready_ = !warps_.empty() && warps_.front().finished != 0;
        if (is_ready_) --waiting_;
    }

    RingQueue<Warp> warps_;
    std::uint64_t entries_, waiting_ = 0;  // finished, but for the oldest
    bool is_ready_ = false;                // the oldest has finished
};

}  // namespace models
