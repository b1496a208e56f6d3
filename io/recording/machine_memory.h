// How much memory a process may take on this machine.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace io {

// The machine's memory in bytes, or less where the process is held to less: by its control group or the groups above
// it, or by its limit of address space (ulimit -v).
std::uint64_t machine_memory();

// What one command takes of it unless told otherwise: half.
inline std::uint64_t default_memory_limit() {
    return machine_memory() / 2;
}

// What the control groups allow: `membership` is the text of /proc/self/cgroup, `mounted` the folder /sys/fs/cgroup.
// The largest number when they do not say.
std::uint64_t group_memory(const std::string& membership, const std::filesystem::path& mounted);

}  // namespace io
