// energy.csv, what `tessera energy` writes beside results.h5:
//
//     # tessera energy 1
//     # results DIGEST
//     # table FILE DIGEST
//     # title of the table
//     # technology 22 nm, 1 V
//     frame,seconds,component,part,structure,kind,cause,low_pJ,typical_pJ,high_pJ
//
// A line a frame (a row of /frames in results.h5) and part. Parts do not overlap, so any sum of lines is the energy of
// what it names, and the sum of all lines that of the run. It depends on nothing but the results and the table.
#pragma once

#include <filesystem>
#include <string>

#include "experiments/energy/pricing.h"
#include "io/output.h"

namespace energy {

extern const io::OutputKind energy_output;

std::string energy_csv(const Energy& energy, const Table& table, const std::string& results_digest);

}  // namespace energy
