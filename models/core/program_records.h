// What programs cost in a frame, of all cores.
#pragma once

#include <vector>

#include "models/base/records.h"
#include "models/core/core_notes.h"
#include "models/core/program_profile.h"

namespace models {

// A row for each program and kind of core that executed it, by kind and number of the program; cores are added up.
// `notes`: of ProgramProfile::series, in any order.
Records program_records(const std::vector<CoreNotes>& notes);

}  // namespace models
