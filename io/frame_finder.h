// Where the frames of a recording end: at the RESOURCE_BUSY_WAIT after a TRANSFER_GET of a whole window, as the
// renderer and the recorder see it. Knows nothing of what is drawn.
#pragma once

#include <cstdint>
#include <map>

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

}  // namespace io
