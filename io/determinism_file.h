// The group /determinism of results.h5:
//
//     attributes                tie_seed; log_from, log_to in ticks where messages were logged
//     process                   number of a process; process_name
//     workload                  number of a workload; start, and window: the length of a window of the kernel, in ticks
//     epoch                     number of a sample; epoch_workload; epoch_end: in ticks
//     samples                   [epoch, process]: hash of the messages that the process consumed before epoch_end
//     final_hash                [workload, process]: hash of all messages of the workload
//     messages                  only where messages were logged; attributes complete (0: these are the first ones
//     only),
//                               note. By message, as consumed: time, from and to (in port_name), sender (of a bundle;
//                               -1: no bundle), position (in its channel), size (bytes), payload [message, byte]
#pragma once

#include "io/determinism.h"
#include "io/hdf5_file.h"

namespace io {

// `ended`: the run went to its end; until then no log is complete.
void write_determinism(Hdf5Group& root, const Determinism& determinism, bool ended);

// Empty where the file has no such group. Throws engine::InputError naming the group if its parts do not fit together.
Determinism read_determinism(const Hdf5Group& root);

}  // namespace io
