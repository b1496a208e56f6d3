// Where the frames of a recording end.
//
// A frame with a picture ends at the RESOURCE_BUSY_WAIT after a TRANSFER_GET of a whole window. While the client has no
// window, a frame that launched compute kernels ends behind the last read-back or wait for a fence (glFinish) before
// the next launch, or the end of the recording.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "models/functional/virgl/protocol.h"

namespace models::functional {

struct FrameEnd {
    std::uint64_t offset = 0;             // of the payload of the message that ends it, in the stream
    std::uint32_t width = 0, height = 0;  // of its picture, pixels; 0: it has none
    bool has_picture() const { return width != 0; }
};

// Message by message, as they come.
class FrameEndFinder {
  public:
    // `offset`: of the message's payload. The end of a frame without a picture is known when the next launch comes.
    std::optional<FrameEnd> see(const Message& message, std::uint64_t offset);
    // Of a frame without a picture, when the recording ends here.
    std::optional<FrameEnd> at_end() const;

    // The message seen last has the picture of a frame, or bytes of one without: its reply is a reference.
    bool reads() const { return reads_; }

  private:
    struct Window {
        std::uint32_t width = 0, height = 0;
    };
    void create(const Words& words);
    void get(const Words& words, std::uint64_t offset);
    std::optional<FrameEnd> wait(const Words& words, std::uint64_t offset, std::uint32_t reading);
    std::optional<FrameEnd> submit(const Words& words);

    std::map<std::uint32_t, Window> windows_;  // by handle
    std::set<std::uint32_t> fences_;           // handles
    std::uint32_t reading_ = 0;                // handle of the window that was read; 0: none
    std::uint32_t read_back_ = 0;              // handle of what was read without a window; 0: none
    bool reads_ = false;
    bool launched_ = false;             // since the last end
    std::optional<FrameEnd> computed_;  // where the frame ends if nothing else comes
};

// All of a recording. Stops at a message that is damaged, which is for others to refuse.
class FrameEnds {
  public:
    explicit FrameEnds(Bytes stream);

    const std::vector<FrameEnd>& all() const { return ends_; }  // in order
    // The frame that ends with the message whose payload is at `offset`; null: none does.
    const FrameEnd* find(std::uint64_t offset) const;

  private:
    std::vector<FrameEnd> ends_;
};

}  // namespace models::functional
