// Where the frames of a recording end: at the RESOURCE_BUSY_WAIT after a TRANSFER_GET of a whole window, as the
// renderer and the recorder see it; and which pictures the recorder left out. Knows nothing of what is drawn.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "models/functional/virgl/protocol.h"

namespace io {

class FrameFinder {
  public:
    struct Size {
        std::uint32_t width = 0, height = 0;  // pixels
    };

    // Takes every message of the recording in order; true if this one ends a frame.
    bool ends_frame(const models::functional::Message& message);

    Size window() const { return size_; }  // of the frame that ended last
    // Whether the message added last read a whole window back: what may end a frame.
    bool reads_window() const { return reading_ != 0; }

  private:
    std::map<std::uint32_t, Size> windows_;  // by handle
    std::uint32_t reading_ = 0;              // the handle; 0: none
    Size size_;
};

// The pictures that the recorder left out, by the number of the frame whose messages they are among: the offsets of the
// records where they end (RecordKind::skipped). Their drawing is not the frame's work, which begins behind the last
// one, but leaves the state that it begins with.
std::map<std::uint32_t, std::vector<std::uint64_t>> pictures_left_out(models::functional::Bytes stream);

}  // namespace io
