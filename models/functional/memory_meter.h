// The memory that rendering and tracing take, by use, against a limit. Counted is what grows with a recording and its
// frames, and it is counted before it is allocated: a frame of any size is traced, or refused while there is memory
// left. Not counted are code, shaders and the registers of the threads: some tens of MiB whatever is drawn.
//
// What a pass adds is counted by the threads that render it; everything else by the thread that executes the recording.
// Neither the decision nor the text of a refusal depends on the number of threads.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace models::functional {

class MemoryMeter {
  public:
    enum class Use : std::uint8_t { recording, resources, draw, waiting_draws, tiles, paths, frame, writing };

    // Thrown by threads that render a tile; the thread that waits for them calls refuse().
    struct Exceeded {};

    static constexpr std::uint64_t unlimited = ~0ULL;

    explicit MemoryMeter(std::uint64_t limit = unlimited) : limit_(limit) {}

    // For the text of a refusal.
    void begin_frame(std::uint32_t number) {
        frame_ = number;
        passes_ = 0;
    }
    void begin_pass() { ++passes_; }

    // What a use takes from now on. Refuses what does not fit; less than before always does.
    void set(Use use, std::uint64_t bytes);
    std::uint64_t taken(Use use) const { return taken_[static_cast<std::size_t>(use)]; }
    std::uint64_t taken() const;
    std::uint64_t limit() const { return limit_; }

    // Room for `more` elements at the end of a list of the frame. While its elements move, both places count.
    template <class T>
    void make_room(std::vector<T>& list, std::size_t more) {
        if (list.capacity() - list.size() >= more) return;
        const std::size_t before = list.capacity();
        const std::size_t after = std::max(list.size() + more, before + before / 2);
        set(Use::frame, taken(Use::frame) + after * sizeof(T));
        list.reserve(after);
        set(Use::frame, taken(Use::frame) - before * sizeof(T));
    }

    // The same for a list of a tile, from any thread. Counts what the list ends up with, so that the sum is the same
    // whichever lists grow at the same time.
    template <class T>
    void make_room_in_tile(std::vector<T>& list, std::size_t more) {
        if (list.capacity() - list.size() >= more) return;
        const std::size_t after = std::max(list.size() + more, 2 * list.capacity());
        take_for_tile((after - list.capacity()) * sizeof(T));
        list.reserve(after);
    }
    void take_for_tile(std::uint64_t bytes);
    // When no thread renders: what they took is the tiles' from now on.
    void settle_tiles();

    // Throws InputError: where, what takes how much, and what can be done. `more` is what was asked for, if known.
    [[noreturn]] void refuse(std::uint64_t more = 0) const;

    std::string text() const;  // "7.91 GiB (recording 80.2 MiB, ...)"

  private:
    static constexpr std::size_t uses = 8;

    std::uint64_t limit_;
    std::array<std::uint64_t, uses> taken_{};
    std::uint64_t left_ = limit_;            // of the limit, when no thread rendered
    std::atomic<std::uint64_t> growth_ = 0;  // of the tiles since then
    std::uint32_t frame_ = 0;
    std::uint32_t passes_ = 0;
};

// "7.91 GiB", "80.2 MiB", "4.0 KiB"
std::string memory_text(std::uint64_t bytes);

}  // namespace models::functional
