// Consistency of a frame: every index points at something, every range lies inside its table. Internal to io.
#pragma once

#include <string>
#include <vector>

#include "models/frame_trace/frame_trace.h"
#include "models/functional/workers.h"

namespace io {

// Throws engine::InputError "WHERE: frame 3: /quads/primitive: row 17: 99 is beyond the 12 rows of /primitives"; rows
// are counted within the frame. `workers`: that check pieces of large tables side by side.
void check_frame(const models::Frame& frame, const std::vector<models::Program>& programs, const std::string& where,
                 const models::functional::Workers& workers);

}  // namespace io
