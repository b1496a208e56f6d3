// The columns of what reads and writes memory besides vertices and textures: constants, uploads and compute kernels.
// Internal to io.
#pragma once

#include "io/frame_trace_column.h"

namespace io {

inline constexpr auto constant_columns = [](auto&& column) {
    const ColumnMaker make(column);
    make.plain("stage", [](auto& c) -> auto& { return c.stage; }, "1", "0 vertex, 1 fragment, 2 compute");
    make.plain("slot", [](auto& c) -> auto& { return c.slot; }, "1", "constant buffer of the program");
    make.delta("address", [](auto& c) -> auto& { return c.address; }, "byte", "where it begins");
    make.plain("bytes", [](auto& c) -> auto& { return c.bytes; }, "byte", "size, as far as the program declares it");
};

inline constexpr auto constant_access_columns = [](auto&& column) {
    const ColumnMaker make(column);
    make.plain("index_count", [](auto& a) -> auto& { return a.index_count; }, "1", "vec4s read by an indirect operand");
    make.run(
        "first_index", [](auto& a) -> auto& { return a.first_index; }, "index_count",
        [](auto& a) { return a.index_count; }, "row of /constant_indices");
};

inline constexpr auto constant_index_columns = [](auto&& column) {
    const ColumnMaker make(column);
    make.delta("index", [](auto& i) -> auto& { return i; }, "1", "vec4 within its constant buffer");
};

inline constexpr auto upload_columns = [](auto&& column) {
    const ColumnMaker make(column);
    make.delta("before_draw", [](auto& u) -> auto& { return u.before_draw; }, "1", "draws of the frame that are done");
    make.delta(
        "before_kernel", [](auto& u) -> auto& { return u.before_kernel; }, "1", "kernels of the frame that are done");
    make.delta("address", [](auto& u) -> auto& { return u.address; }, "byte", "first byte written");
    make.plain(
        "bytes", [](auto& u) -> auto& { return u.bytes; }, "byte", "size; of textures whole tiles of 4x4 texels");
};

inline constexpr auto kernel_columns = [](auto&& column) {
    const ColumnMaker make(column);
    make.plain("program", [](auto& k) -> auto& { return k.program; }, "1", "row of /programs");
    make.delta("before_draw", [](auto& k) -> auto& { return k.before_draw; }, "1", "draws of the frame that are done");
    make.plain("grid_x", [](auto& k) -> auto& { return k.grid[0]; }, "1", "blocks along x");
    make.plain("grid_y", [](auto& k) -> auto& { return k.grid[1]; }, "1", "blocks along y");
    make.plain("grid_z", [](auto& k) -> auto& { return k.grid[2]; }, "1", "blocks along z");
    make.plain("block_x", [](auto& k) -> auto& { return k.block[0]; }, "1", "threads of a block along x");
    make.plain("block_y", [](auto& k) -> auto& { return k.block[1]; }, "1", "threads of a block along y");
    make.plain("block_z", [](auto& k) -> auto& { return k.block[2]; }, "1", "threads of a block along z");
    make.plain(
        "shared_bytes", [](auto& k) -> auto& { return k.shared_bytes; }, "byte",
        "memory that the threads of a block share");
    make.plain(
        "constant_count", [](auto& k) -> auto& { return k.constant_count; }, "1",
        "constant buffers that the program reads");
    make.run(
        "first_constant", [](auto& k) -> auto& { return k.first_constant; }, "constant_count",
        [](auto& k) { return k.constant_count; }, "row of /constants");
    make.plain(
        "first_group", [](auto& k) -> auto& { return k.first_group; }, "1",
        "row of /thread_groups; ceil(threads / 32) for each block");
};

inline constexpr auto thread_group_columns = [](auto&& column) {
    const ColumnMaker make(column);
    make.plain("path", [](auto& g) -> auto& { return g.path; }, "1", "path of the kernel's program");
    make.delta(
        "first_memory_access", [](auto& g) -> auto& { return g.first_memory_access; }, "1",
        "row of /memory_accesses; as many as memory instructions on the path");
    make.delta(
        "first_access", [](auto& g) -> auto& { return g.first_access; }, "1",
        "row of /kernel_accesses; as many as texture instructions on the path");
    make.delta(
        "first_constant_access", [](auto& g) -> auto& { return g.first_constant_access; }, "1",
        "row of /constant_accesses; as many as indirect constant operands on the path");
};

inline constexpr auto memory_access_columns = [](auto&& column) {
    const ColumnMaker make(column);
    make.delta("base", [](auto& m) -> auto& { return m.base; }, "byte", "address of the lowest thread");
    make.plain("stride", [](auto& m) -> auto& { return m.stride; }, "byte", "from one thread to the next");
    make.delta(
        "first_address", [](auto& m) -> auto& { return m.first_address; }, "1",
        "row of /thread_addresses, one for each thread of the mask; 2^32-1: base and stride say it");
    make.plain("threads", [](auto& m) -> auto& { return m.threads; }, "1", "mask of the threads that access");
    make.delta("instruction", [](auto& m) -> auto& { return m.instruction; }, "1", "program counter");
    make.plain("bytes", [](auto& m) -> auto& { return m.bytes; }, "byte", "of each thread");
    make.plain("operation", [](auto& m) -> auto& { return m.operation; }, "1", "0 read, 1 write, 2 atomic");
    make.plain("space", [](auto& m) -> auto& { return m.space; }, "1", "0 buffer, 1 image, 2 shared");
};

inline constexpr auto address_columns = [](auto&& column) {
    const ColumnMaker make(column);
    make.delta("address", [](auto& a) -> auto& { return a; }, "byte", "of a thread");
};

}  // namespace io
