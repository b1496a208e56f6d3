// Shader programs as flat columns, for the /programs, /instructions, /paths and /path_runs of a frame trace file.
// Internal to io.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/digest.h"
#include "io/hdf5_file.h"
#include "models/shader/program.h"

namespace io {

void write_programs(Hdf5Group& root, const std::vector<models::Program>& programs);

// Throws engine::InputError naming the dataset and row of what cannot be.
std::vector<models::Program> read_programs(const Hdf5Group& root);

void add_programs(Digest& digest, const std::vector<models::Program>& programs);

}  // namespace io
