// Takes out of a frame what the timing model refuses to play, and leaves the rest.
#pragma once

#include "models/frame_trace/frame_trace.h"

namespace models {

inline void leave_what_a_machine_plays(Frame& frame) {
    frame.kernels.clear();
    for (Quad& quad : frame.quads) {
        quad.reconstructed = 0;
        quad.cluster = Quad::any_cluster;
    }
}

}  // namespace models
