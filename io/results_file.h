// results.h5: results in HDF5 that h5py, pandas and xarray open with named dimensions and units (netCDF-4 dimension
// scales). Layout:
//
//     /                attributes: Conventions, title, source, history, status (complete or partial),
//                      frames_committed, schema_version, ticks_per_second, digest
//     /frames          by frame: workload, number, start_time, end_time, cycles, image_psnr, image_largest_difference,
//                      image_ssim, image_share_off
//     /workloads       by workload: label, path, trace_digest
//     /KIND            one group per kind of process; one dataset [frame, KIND] (or [frame]) per counter, unsigned
//                      64-bit, fill value 2^64-1; attributes units, long_name; cycles_STATE, of which those of one
//                      unit add up to all of a frame, also class (busy, starved or blocked) and by_whom, the kind of
//                      unit that is waited for (models/base/time_account.h)
//                      A histogram is a dataset [frame, KIND, BINS] (or [frame, BINS]): how many values of the frame
//                      fell into each bin; attributes bin_units and bin_axis, which names BINS: the dataset in the same
//                      group with the least value of each bin. A bin ends before the next one begins, the last has no
//                      end. engine/histogram.h
//     /series/NAME     only if observed: by interval: frame (row of /frames), start_time, end_time; datasets [interval,
//                      UNIT] of what the units did in it. dram_bandwidth (models/processes/dram_channel.h) and
//                      texture_replication (models/memory/replication.h)
//     /records/NAME    by row: frame (row of /frames), and what the name says; a value of 2^64-1 is none; numbers of
//                      a dataset with the attribute flag_meanings stand for its words, the first for 0. programs
//                      (models/core/program_records.h), and if observed instructions (models/core/instruction_trace.h)
//     /performance     wall times by frame and [frame, worker], totals as attributes, and in groups below it what the
//                      processes cost and the channels carried in all frames: not part of the digest
//     /determinism     hashes of the messages consumed (determinism_file.h): not part of the digest
//     /provenance      attributes: configuration as written and as resolved, command line, versions, host, ...
//
// In front of it stands a label of 512 bytes (file_label.h). The file is written whole, read back and compared, and
// renamed into place: whoever opens it at any moment sees the frames committed so far, all of them complete.
#pragma once

#include <filesystem>

#include "io/file_label.h"
#include "io/results.h"

namespace io {

inline constexpr int results_version = 5;
FileKind results_kind();  // in the file's label

// Throws engine::IoError if the file cannot be written or does not read back the same.
void write_results(const std::filesystem::path& path, const Results& results);

// Of the folder of a run or of the file itself. Throws engine::IoError for a folder without results.
std::filesystem::path results_path(const std::filesystem::path& given);

// Throws engine::IoError if the file cannot be read, engine::InputError naming the dataset if it is damaged.
Results read_results(const std::filesystem::path& path);

// The workloads of the run, nothing else. Throws as read_results() does.
std::vector<WorkloadResult> read_workloads(const std::filesystem::path& path);

// The digest that the file itself carries.
std::string stored_digest(const std::filesystem::path& path);

// Whether the run went to its end. Throws as read_results() does.
bool is_complete(const std::filesystem::path& path);

}  // namespace io
