// Compute kernels of a frame: the part of the frame trace that has no pixels.
//
// A kernel runs a program for blocks of threads. Blocks are numbered x fastest, then y, then z, and so are the threads
// of a block. Threads run in groups of 32 in the order of their numbers; the last group of a block may have fewer. What
// a group did is its path, with the threads that took part in each run, and one row for each memory instruction,
// texture instruction and indirect constant operand on the path, in the order of execution.
#pragma once

#include <cstdint>

#include "models/frame_trace/memory.h"

namespace models {

struct Kernel {
    std::uint32_t program = none;    // in FrameTrace::programs
    std::uint32_t before_draw = 0;   // runs when so many draws of the frame are done, between passes
    std::uint32_t grid[3] = {};      // blocks along x, y, z; 0 is allowed: nothing runs
    std::uint32_t block[3] = {};     // threads along x, y, z
    std::uint32_t shared_bytes = 0;  // memory that the threads of a block share
    std::uint32_t first_constant = 0, constant_count = 0;  // in Frame::constants
    std::uint32_t first_group = 0;  // in Frame::thread_groups: groups_of_block() for each block, block by block

    friend bool operator==(const Kernel&, const Kernel&) = default;
};

inline constexpr std::uint32_t most_grid_side = 65535;     // blocks along an axis
inline constexpr std::uint32_t most_block_threads = 1024;  // of a block

constexpr std::uint64_t blocks_of(const Kernel& kernel) {
    return std::uint64_t{kernel.grid[0]} * kernel.grid[1] * kernel.grid[2];
}
constexpr std::uint64_t threads_of_block(const Kernel& kernel) {
    return std::uint64_t{kernel.block[0]} * kernel.block[1] * kernel.block[2];
}
constexpr std::uint64_t groups_of_block(const Kernel& kernel) {
    return (threads_of_block(kernel) + group_threads - 1) / group_threads;
}

struct ThreadGroup {
    std::uint16_t path = 0;                   // in the program's paths
    std::uint32_t first_memory_access = 0;    // in Frame::memory_accesses: one for each instruction of class memory
    std::uint32_t first_access = 0;           // in Frame::kernel_accesses: one for each texture instruction
    std::uint32_t first_constant_access = 0;  // in Frame::constant_accesses: one for each indirect constant operand

    friend bool operator==(const ThreadGroup&, const ThreadGroup&) = default;
};

enum class AccessOperation : std::uint8_t { read, write, atomic };

enum class MemorySpace : std::uint8_t {
    buffer,  // storage and atomic counter buffers
    image,   // textures that are read and written without a sampler
    shared,  // of the block: addresses count from 0
};

// What one executed memory instruction does for a group: an address for each thread that takes part and is in range
// (others read 0 and write nothing). Where the addresses ascend evenly with the number of the thread, thread t has
//   base + stride * (t - the lowest thread of the mask)
// Otherwise they are listed, in the order of the threads.
struct MemoryAccess {
    Address base = 0;                    // of the lowest thread
    std::uint32_t stride = 0;            // bytes
    std::uint32_t first_address = none;  // in Frame::thread_addresses, as many as threads in the mask; or none
    std::uint32_t threads = 0;           // mask; 0 where all are out of range
    std::uint16_t instruction = 0;       // program counter
    std::uint8_t bytes = 0;              // of each thread, from its address on: 1 to 16
    AccessOperation operation = AccessOperation::read;
    MemorySpace space = MemorySpace::buffer;

    friend bool operator==(const MemoryAccess&, const MemoryAccess&) = default;
};

}  // namespace models
