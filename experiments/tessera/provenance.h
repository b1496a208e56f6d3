// Where results come from: what was simulated, by which program, how and where.
#pragma once

#include <string>
#include <vector>

#include "experiments/tessera/run_request.h"
#include "io/config_file.h"
#include "io/results.h"

namespace experiments {

std::vector<io::NamedText> run_provenance(const RunRequest& request, int ranks,
                                          const std::vector<io::ConfigText>& configuration,
                                          const std::string& resolved);

std::string host_name();

// Now, as "2026-11-21T12:00:00Z".
std::string wall_time();

}  // namespace experiments
