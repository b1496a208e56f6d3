// Compute kernels by hand, for the sample trace: what the rows of a kernel look like.
#pragma once

#include <cstdint>

#include "models/frame_trace/frame_trace.h"

namespace tests {

// Reads a buffer, adds to shared memory where the first branch goes, samples a texture, writes an image.
inline models::Program sample_kernel_program() {
    const auto memory = [](models::RegisterFile destination) {
        models::Instruction instruction;
        instruction.kind = models::InstructionClass::memory;
        instruction.source_count = 1;
        instruction.destination = {destination, 1, 0, false, 0};
        return instruction;
    };
    models::Instruction sample;
    sample.opcode = models::Opcode::tex;
    sample.source_count = 1;
    sample.texture_unit = 0;
    sample.kind = models::InstructionClass::texture;
    models::Instruction add;
    add.opcode = models::Opcode::uadd;
    add.source_count = 2;
    add.kind = models::InstructionClass::integer;
    add.sources[1] = {models::RegisterFile::constant, 1, 0, true, 1};
    models::Program program;
    program.stage = models::ShaderStage::compute;
    program.temporaries = 3;
    program.constants = 8;
    program.instructions = {memory(models::RegisterFile::temporary), add, memory(models::RegisterFile::temporary),
                            sample, memory(models::RegisterFile::none)};
    program.text = "COMP";
    // All 32 threads; 16 of them, of which the lower half goes through the branch at 2.
    program.paths = {{{0, 5, 0xffffffff}}, {{0, 2, 0xffff}, {2, 1, 0xff}, {3, 2, 0xffff}}};
    return program;
}

// Two blocks of 48 threads after the first draw, and a dispatch of nothing at the end. `program` is its number.
inline void add_sample_kernels(models::Frame& frame, std::uint32_t program) {
    models::Kernel kernel;
    kernel.program = program;
    kernel.before_draw = frame.draws.empty() ? 0 : 1;
    kernel.grid[0] = 2;
    kernel.grid[1] = kernel.grid[2] = 1;
    kernel.block[0] = 16;
    kernel.block[1] = 3;
    kernel.block[2] = 1;
    kernel.shared_bytes = 1024;
    kernel.first_constant = static_cast<std::uint32_t>(frame.constants.size());
    kernel.constant_count = 1;
    frame.constants.push_back({models::ShaderStage::compute, 1, 0x7000, 128});
    for (std::uint32_t block = 0; block < 2; ++block) {
        for (std::uint16_t path = 0; path < 2; ++path) {
            const std::uint32_t all = path == 0 ? 0xffffffff : 0xffff, branch = path == 0 ? 0xffffffff : 0xff;
            const auto row = [](const auto& list) { return static_cast<std::uint32_t>(list.size()); };
            frame.thread_groups.push_back(
                {path, row(frame.memory_accesses), row(frame.kernel_accesses), row(frame.constant_accesses)});
            const models::Address input = 0x100000 + models::Address{block} * 192 + path * 128U;
            frame.memory_accesses.push_back(
                {input, 4, models::none, all, 0, 4, models::AccessOperation::read, models::MemorySpace::buffer});
            frame.constant_accesses.push_back({row(frame.constant_indices), 2});
            frame.constant_indices.push_back(static_cast<std::uint16_t>(block));
            frame.constant_indices.push_back(7);
            frame.memory_accesses.push_back({path * 4U, 0, models::none, branch, 2, 4, models::AccessOperation::atomic,
                                             models::MemorySpace::shared});
            frame.kernel_accesses.push_back(
                {row(frame.kernel_blocks), 2, 32, 128, models::TextureFilter::bilinear, 4, 0});
            frame.kernel_blocks.push_back(500 + block);
            frame.kernel_blocks.push_back(600 + path);
            frame.memory_accesses.push_back({0x200000, 0, row(frame.thread_addresses), all, 4, 16,
                                             models::AccessOperation::write, models::MemorySpace::image});
            for (std::uint32_t thread = 0; thread < (path == 0 ? 32U : 16U); ++thread)
                frame.thread_addresses.push_back(0x200000 + models::Address{thread} * thread * 16);
        }
    }
    frame.kernels.push_back(kernel);
    models::Kernel nothing = kernel;
    nothing.before_draw = static_cast<std::uint32_t>(frame.draws.size());
    nothing.grid[2] = 0;
    nothing.constant_count = 0;
    nothing.first_constant = static_cast<std::uint32_t>(frame.constants.size());
    nothing.first_group = static_cast<std::uint32_t>(frame.thread_groups.size());
    frame.kernels.push_back(nothing);
    frame.uploads.push_back({static_cast<std::uint32_t>(frame.draws.size()), 2, 0x300000, 65536});
}

}  // namespace tests
