// Numbers the programs of a frame trace in the order in which its frames use them, so that a trace of some frames is
// the same whatever was drawn before them.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "models/frame_trace/frame_trace.h"

namespace io {

class ProgramNumbering {
  public:
    void renumber(models::Frame& frame);
    // Those that the frames use, in their new order.
    std::vector<models::Program> select(const std::vector<models::Program>& programs) const;

  private:
    std::map<std::uint32_t, std::uint32_t> numbers_;  // by the renderer's number
    std::vector<std::uint32_t> order_;
};

}  // namespace io
