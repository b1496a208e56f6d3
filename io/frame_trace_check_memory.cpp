#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "io/frame_trace_check_rows.h"
#include "models/shader/opcode.h"

namespace io {

namespace {

constexpr std::uint64_t most_constant_bytes = std::uint64_t{1} << 16;  // of one buffer: 4096 vec4s
constexpr std::uint64_t most_slots = 32;
constexpr std::uint64_t most_shared_bytes = std::uint64_t{1} << 20;
constexpr std::uint64_t most_thread_bytes = 16;

PathRows rows_of(const models::Instruction& instruction) {
    PathRows rows;
    rows.textures = models::opcode_info(instruction.opcode).is_texture ? 1 : 0;
    rows.memory = instruction.kind == models::InstructionClass::memory ? 1 : 0;
    rows.constants = models::indirect_constants(instruction);
    return rows;
}

// A memory instruction on a path.
struct Executed {
    std::uint16_t instruction = 0;
    std::uint32_t threads = 0;
};

// The memory instructions on the paths of kernels, found when a path is met first: afterwards a group costs no more
// than the accesses it has.
class PathMemory {
  public:
    explicit PathMemory(const std::vector<models::Program>& programs) : programs_(programs) {}

    const std::vector<Executed>& of(std::uint32_t program, std::uint16_t path) {
        const auto [found, is_new] = paths_.try_emplace({program, path});
        if (is_new) collect(programs_[program], programs_[program].paths[path], found->second);
        return found->second;
    }

  private:
    static void collect(const models::Program& program, const models::Path& path, std::vector<Executed>& list) {
        std::vector<std::uint16_t> counters;
        for (std::size_t pc = 0; pc < program.instructions.size(); ++pc)
            if (program.instructions[pc].kind == models::InstructionClass::memory)
                counters.push_back(static_cast<std::uint16_t>(pc));
        for (const models::PathRun& run : path)
            for (auto at = std::lower_bound(counters.begin(), counters.end(), run.first);
                 at != counters.end() && *at < run.first + run.count; ++at)
                list.push_back({*at, run.lanes});
    }

    const std::vector<models::Program>& programs_;
    std::map<std::pair<std::uint32_t, std::uint16_t>, std::vector<Executed>> paths_;
};

class MemoryCheck {
  public:
    MemoryCheck(const models::Frame& frame, const std::vector<models::Program>& programs, const ProgramRows& path_rows,
                const RowCheck& rows)
        : frame_(frame),
          programs_(programs),
          path_rows_(path_rows),
          rows_(rows),
          path_memory_(programs),
          groups_left_(frame.thread_groups.size()),
          accesses_left_(frame.memory_accesses.size()) {}

    void run() {
        for (std::size_t i = 0; i < frame_.constants.size(); ++i) check_constant(i);
        for (std::size_t i = 0; i < frame_.constant_accesses.size(); ++i) {
            const models::ConstantAccess& access = frame_.constant_accesses[i];
            rows_.range("constant_accesses/first_index", i, access.first_index, access.index_count,
                        frame_.constant_indices.size(), "constant_indices");
            if (access.index_count == 0 || access.index_count > models::group_threads)
                rows_.fail("constant_accesses/index_count", i,
                           "expected 1 to 32, found " + std::to_string(access.index_count));
        }
        for (std::size_t i = 0; i < frame_.uploads.size(); ++i) check_upload(i);
        for (std::size_t i = 0; i < frame_.memory_accesses.size(); ++i) check_access(i);
        for (std::size_t i = 0; i < frame_.kernels.size(); ++i) check_kernel(i);
        for (std::size_t i = 0; i < frame_.thread_addresses.size(); ++i)
            rows_.at_most("thread_addresses/address", i, frame_.thread_addresses[i], address_end - 1);
    }

  private:
    void check_bytes(const char* column, std::size_t row, models::Address address, std::uint64_t bytes) const {
        rows_.at_most(column, row, address, address_end - 1);
        if (bytes > address_end - address)
            rows_.fail(column, row,
                       std::to_string(bytes) + " bytes from " + std::to_string(address) + " on go beyond the memory");
    }

    void check_constant(std::size_t i) const {
        const models::ConstantRange& constant = frame_.constants[i];
        rows_.below("constants/slot", i, constant.slot, most_slots, "constant buffers of a program");
        rows_.at_most("constants/bytes", i, constant.bytes, most_constant_bytes * 16);
        check_bytes("constants/address", i, constant.address, constant.bytes);
    }

    void check_upload(std::size_t i) const {
        const models::Upload& upload = frame_.uploads[i];
        rows_.at_most("uploads/before_draw", i, upload.before_draw, frame_.draws.size());
        rows_.at_most("uploads/before_kernel", i, upload.before_kernel, frame_.kernels.size());
        const bool first = i == 0;
        if (!first && (upload.before_draw < frame_.uploads[i - 1].before_draw ||
                       upload.before_kernel < frame_.uploads[i - 1].before_kernel))
            rows_.fail("uploads/before_draw", i, "is before the row before it");
        check_bytes("uploads/address", i, upload.address, upload.bytes);
    }

    void check_kernel(std::size_t i) {
        const models::Kernel& kernel = frame_.kernels[i];
        rows_.below("kernels/program", i, kernel.program, programs_.size(), "rows of /programs");
        if (programs_[kernel.program].stage != models::ShaderStage::compute)
            rows_.fail("kernels/program", i, "is a program of another stage");
        rows_.at_most("kernels/before_draw", i, kernel.before_draw, frame_.draws.size());
        if (i > 0 && kernel.before_draw < frame_.kernels[i - 1].before_draw)
            rows_.fail("kernels/before_draw", i, "is before the row before it");
        for (const std::uint32_t side : kernel.grid) rows_.at_most("kernels/grid", i, side, models::most_grid_side);
        for (const std::uint32_t side : kernel.block) {
            rows_.at_most("kernels/block", i, side, models::most_block_threads);
            if (side == 0) rows_.fail("kernels/block", i, "has no threads");
        }
        rows_.at_most("kernels/block", i, models::threads_of_block(kernel), models::most_block_threads);
        rows_.at_most("kernels/shared_bytes", i, kernel.shared_bytes, most_shared_bytes);
        const std::uint64_t groups = models::blocks_of(kernel) * models::groups_of_block(kernel);
        rows_.range("kernels/first_group", i, kernel.first_group, groups, frame_.thread_groups.size(), "thread_groups");
        rows_.claim(groups_left_, "kernels/first_group", i, groups, "thread_groups");
        for (std::uint64_t g = 0; g < groups; ++g) check_group(kernel, kernel.first_group + g);
    }

    void check_group(const models::Kernel& kernel, std::size_t i) {
        const models::ThreadGroup& group = frame_.thread_groups[i];
        const std::vector<PathRows>& paths = path_rows_[kernel.program];
        rows_.below("thread_groups/path", i, group.path, paths.size(), "paths of its program");
        const PathRows& path = paths[group.path];
        rows_.range("thread_groups/first_memory_access", i, group.first_memory_access, path.memory,
                    frame_.memory_accesses.size(), "memory_accesses");
        rows_.range("thread_groups/first_access", i, group.first_access, path.textures, frame_.kernel_accesses.size(),
                    "kernel_accesses");
        rows_.range("thread_groups/first_constant_access", i, group.first_constant_access, path.constants,
                    frame_.constant_accesses.size(), "constant_accesses");
        rows_.claim(accesses_left_, "thread_groups/first_memory_access", i, path.memory, "memory_accesses");
        if (path.memory == 0) return;
        std::size_t access = group.first_memory_access;
        for (const Executed& executed : path_memory_.of(kernel.program, group.path))
            check_executed(access++, executed, kernel);
    }

    // One memory access of a group, which ran the instruction with these threads.
    void check_executed(std::size_t i, const Executed& executed, const models::Kernel& kernel) const {
        const models::MemoryAccess& access = frame_.memory_accesses[i];
        if (access.instruction != executed.instruction)
            rows_.fail("memory_accesses/instruction", i,
                       "expected " + std::to_string(executed.instruction) + " as the path has it, found " +
                           std::to_string(access.instruction));
        if ((access.threads & ~executed.threads) != 0)
            rows_.fail("memory_accesses/threads", i, "has threads that do not execute the instruction");
        if (access.space == models::MemorySpace::shared) check_shared(i, access, kernel.shared_bytes);
    }

    void check_shared(std::size_t i, const models::MemoryAccess& access, std::uint64_t shared_bytes) const {
        for (std::uint32_t n = 0, left = access.threads; left != 0; ++n, left &= left - 1) {
            const std::uint64_t address =
                access.first_address != models::none
                    ? frame_.thread_addresses[access.first_address + n]
                    : access.base +
                          std::uint64_t{access.stride} *
                              static_cast<unsigned>(std::countr_zero(left) - std::countr_zero(access.threads));
            if (address + access.bytes > shared_bytes)
                rows_.fail("memory_accesses/base", i,
                           "is beyond the " + std::to_string(shared_bytes) + " bytes that the block shares");
        }
    }

    void check_access(std::size_t i) const {
        const models::MemoryAccess& access = frame_.memory_accesses[i];
        if (access.bytes == 0 || access.bytes > most_thread_bytes)
            rows_.fail("memory_accesses/bytes", i, "expected 1 to 16, found " + std::to_string(access.bytes));
        rows_.at_most("memory_accesses/base", i, access.base, address_end - 1);
        rows_.at_most("memory_accesses/stride", i, access.stride, address_end / models::group_threads);
        if (access.first_address != models::none)
            rows_.range("memory_accesses/first_address", i, access.first_address,
                        static_cast<std::uint64_t>(std::popcount(access.threads)), frame_.thread_addresses.size(),
                        "thread_addresses");
    }

    const models::Frame& frame_;
    const std::vector<models::Program>& programs_;
    const ProgramRows& path_rows_;
    const RowCheck& rows_;
    PathMemory path_memory_;
    std::uint64_t groups_left_, accesses_left_;
};

}  // namespace

ProgramRows count_path_rows(const std::vector<models::Program>& programs) {
    ProgramRows counts;
    for (const models::Program& program : programs) {
        std::vector<PathRows> before(1);  // each instruction: runs may be many and long
        for (const models::Instruction& instruction : program.instructions) {
            const PathRows rows = rows_of(instruction);
            const PathRows& last = before.back();
            before.push_back(
                {last.textures + rows.textures, last.constants + rows.constants, last.memory + rows.memory});
        }
        std::vector<PathRows>& of_paths = counts.emplace_back();
        for (const models::Path& path : program.paths) {
            PathRows& count = of_paths.emplace_back();
            for (const models::PathRun& run : path) {
                const PathRows &begin = before[run.first], &end = before[std::size_t{run.first} + run.count];
                count.textures += end.textures - begin.textures;
                count.constants += end.constants - begin.constants;
                count.memory += end.memory - begin.memory;
            }
        }
    }
    return counts;
}

void check_memory_tables(const models::Frame& frame, const std::vector<models::Program>& programs,
                         const ProgramRows& path_rows, const RowCheck& rows) {
    MemoryCheck(frame, programs, path_rows, rows).run();
}

}  // namespace io
