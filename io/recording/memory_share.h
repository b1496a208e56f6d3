// How much memory one input may take: half of what this program may use, which leaves room for what is made of it.
#pragma once

#include <cstdint>

namespace io {

// Bytes: half of the machine's memory, or of the limit on address space (ulimit -v) where that is less.
std::uint64_t memory_share();

}  // namespace io
