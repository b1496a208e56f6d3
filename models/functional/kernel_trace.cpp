#include "models/functional/kernel_trace.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "engine/error.h"
#include "models/functional/access_splitter.h"

namespace models::functional {

namespace {

constexpr std::size_t groups_of_batch = batch_lanes / group_threads;
constexpr LaneMask lanes_of_group = (LaneMask{1} << group_threads) - 1;

AccessOperation operation_of(StorageOperation operation) {
    if (is_atomic(operation)) return AccessOperation::atomic;
    return operation == StorageOperation::store ? AccessOperation::write : AccessOperation::read;
}

MemorySpace space_of(StorageSpace space) {
    switch (space) {
        case StorageSpace::buffer:
            return MemorySpace::buffer;
        case StorageSpace::image:
            return MemorySpace::image;
        case StorageSpace::shared:
            break;
    }
    return MemorySpace::shared;
}

// Appends, with what counts positions in another list moved along.
template <class T, class Move>
void append(std::vector<T>& to, const std::vector<T>& from, MemoryMeter& memory, const Move& move) {
    memory.make_room(to, from.size());
    for (T element : from) {
        move(element);
        to.push_back(element);
    }
}

template <class T>
std::uint32_t size32(const std::vector<T>& list) {
    if (list.size() > std::numeric_limits<std::uint32_t>::max())
        throw engine::InputError("a frame whose kernels reach memory more than 4294967295 times is not supported");
    return static_cast<std::uint32_t>(list.size());
}

}  // namespace

void BlockTrace::begin(std::uint32_t threads) {
    count_ = (threads + group_threads - 1) / group_threads;
    if (groups_.size() < count_) groups_.resize(count_);
    for (std::size_t i = 0; i < count_; ++i) {
        Group& group = groups_[i];
        const std::size_t left = threads - i * group_threads;
        const LaneMask lanes = left >= group_threads ? lanes_of_group : (LaneMask{1} << left) - 1;
        group.lanes = lanes << (i % groups_of_batch * group_threads);
        group.path.clear();
        group.memory.clear();
        group.addresses.clear();
        group.textures.clear();
        group.blocks.clear();
        group.constants.clear();
        group.indices.clear();
    }
}

void BlockTrace::add_storage(const StorageFootprint& footprint, Group& group, MemoryMeter& memory) {
    if ((footprint.executed & group.lanes) == 0) return;
    const LaneMask reached = footprint.active & group.lanes;
    const int first_lane = std::countr_zero(group.lanes);
    MemoryAccess access;
    access.threads = static_cast<std::uint32_t>(reached >> first_lane);
    access.instruction = static_cast<std::uint16_t>(footprint.instruction);
    access.bytes = static_cast<std::uint8_t>(footprint.bytes);
    access.operation = operation_of(footprint.operation);
    access.space = space_of(footprint.space);
    if (reached != 0) {
        const int lowest = std::countr_zero(reached);
        const auto address = [&](int lane) { return footprint.address[static_cast<std::size_t>(lane)]; };
        access.base = address(lowest);
        const LaneMask others = reached & (reached - 1);
        const int second = others != 0 ? std::countr_zero(others) : lowest + 1;
        const std::uint64_t distance = others != 0 ? address(second) - access.base : 0;  // wraps where they descend
        const auto apart = static_cast<std::uint64_t>(second - lowest);
        const std::uint64_t stride = distance / apart;
        bool even = distance % apart == 0 && stride <= std::numeric_limits<std::uint32_t>::max();
        for (LaneMask rest = others; rest != 0; rest &= rest - 1) {
            const int lane = std::countr_zero(rest);
            even = even && address(lane) == access.base + stride * static_cast<std::uint64_t>(lane - lowest);
        }
        if (even) {
            access.stride = static_cast<std::uint32_t>(stride);
        } else {
            access.first_address = size32(group.addresses);
            memory.make_room_in_tile(group.addresses, static_cast<std::size_t>(std::popcount(reached)));
            for (LaneMask rest = reached; rest != 0; rest &= rest - 1)
                group.addresses.push_back(address(std::countr_zero(rest)));
        }
    }
    memory.make_room_in_tile(group.memory, 1);
    group.memory.push_back(access);
}

void BlockTrace::add(std::size_t batch, const BatchLog& log, MemoryMeter& memory) {
    AccessSplitter splitter;
    splitter.start(log.textures);
    for (std::size_t i = 0; i < groups_of_batch && batch * groups_of_batch + i < count_; ++i) {
        Group& group = groups_[batch * groups_of_batch + i];
        for (const StorageFootprint& footprint : log.storage) add_storage(footprint, group, memory);
        memory.make_room_in_tile(group.textures, log.textures.entries.size());
        memory.make_room_in_tile(group.blocks, log.textures.blocks.size());
        splitter.append(static_cast<int>(i), group.lanes, group.textures, group.blocks);
        append_constants(log.constants, group.lanes, group.constants, group.indices);
    }
}

void BlockTrace::finish(std::size_t batch, const tgsi::Executor& executor) {
    for (std::size_t i = 0; i < groups_of_batch && batch * groups_of_batch + i < count_; ++i) {
        Group& group = groups_[batch * groups_of_batch + i];
        executor.path(group.lanes, group.path);
    }
}

void BlockTrace::append_to(Frame& frame, std::uint32_t program, ProgramLibrary& library, MemoryMeter& memory) const {
    memory.make_room(frame.thread_groups, count_);
    for (std::size_t i = 0; i < count_; ++i) {
        const Group& group = groups_[i];
        frame.thread_groups.push_back({library.intern({program, group.path}), size32(frame.memory_accesses),
                                       size32(frame.kernel_accesses), size32(frame.constant_accesses)});
        append(frame.memory_accesses, group.memory, memory,
               [first = size32(frame.thread_addresses)](MemoryAccess& access) {
                   if (access.first_address != none) access.first_address += first;
               });
        append(frame.thread_addresses, group.addresses, memory, [](Address&) {});
        append(frame.kernel_accesses, group.textures, memory,
               [first = size32(frame.kernel_blocks)](TextureAccess& access) { access.first_block += first; });
        append(frame.kernel_blocks, group.blocks, memory, [](BlockNumber&) {});
        append(frame.constant_accesses, group.constants, memory,
               [first = size32(frame.constant_indices)](ConstantAccess& access) { access.first_index += first; });
        append(frame.constant_indices, group.indices, memory, [](std::uint16_t&) {});
    }
    memory.set(MemoryMeter::Use::paths, library.path_bytes());
}

std::uint64_t BlockTrace::bytes() const {
    std::uint64_t bytes = 0;
    for (const Group& group : groups_) {
        bytes += group.memory.capacity() * sizeof(MemoryAccess) + group.addresses.capacity() * sizeof(Address) +
                 group.textures.capacity() * sizeof(TextureAccess) + group.blocks.capacity() * sizeof(BlockNumber);
    }
    return bytes;
}

}  // namespace models::functional
