// What lies where in the memory of a machine, whose size is dram.size. From address 0 up lie what the application and
// its driver made, where the trace says: index and vertex buffers, textures, render targets, buffers of constants. From
// the top down lies what belongs to the machine:
//
//     memory            -
//     parameter buffers two of tiling.parameter_buffer: primitives and tile lists, of passes in turn
//     code              programs, in the order of the trace
//     constant ring     constants that come in commands, as the trace's ring
//     command ring      what the driver tells the command processor, frame by frame
//     page tables       if address_space.translation is on, below
//
// These addresses are virtual: in which frame of physical memory a page lies, PagePlacement says.
#pragma once

#include "models/frame_trace/memory.h"
#include "models/structures/page_tables.h"

namespace models {

struct MemoryMap {
    static constexpr Address code_bytes = 4 << 20;  // room for 256 Ki instructions
    static constexpr Address command_ring_bytes = 16 << 20;

    MemoryMap(Address memory_bytes, Address parameter_buffer_bytes, bool has_page_tables)
        : memory(memory_bytes),
          parameter_buffers(memory_bytes - 2 * parameter_buffer_bytes),
          code(below(parameter_buffers, code_bytes)),
          constants(below(code, constant_ring_bytes)),
          commands(below(constants, command_ring_bytes)),
          page_tables(has_page_tables ? below(commands, PageTables::bytes(memory_bytes)) : commands) {}

    Address memory;             // bytes of all
    Address parameter_buffers;  // where each begins
    Address code;
    Address constants;
    Address commands;
    Address page_tables;

    // The end of what a trace may use.
    Address buffers_end() const { return page_tables; }

  private:
    static Address below(Address end, Address bytes) {
        return end > bytes ? (end - bytes) / page_bytes * page_bytes : 0;
    }
};

}  // namespace models
