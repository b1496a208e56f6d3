// energy.csv, what `tessera energy` writes beside results.h5:
//
//     # tessera energy 1
//     # results DIGEST MACHINE_DIGEST
//     # table FILE DIGEST
//     # title of the table
//     # technology 22 nm, 1 V
//     # left out KIND KIND: why        (a line for each reason; none if all is priced)
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

// `results`: their digest and that of their machine, which theirs does not hold: two machines may count the same.
std::string energy_csv(const Energy& energy, const Table& table, const std::string& results);
// Of the results and of the machine in their provenance, with a space between them, as energy_csv() takes them.
std::string digests_of(const io::Results& results);

}  // namespace energy
