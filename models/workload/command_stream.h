// The command stream of a frame: what the command processor reads of every draw, clear and transfer that is executed
// (state, addresses, counts), as many bytes for each. The driver writes it to a ring, from its start in every frame,
// before the frame begins; a frame with more than the ring holds goes on at its start.
#pragma once

#include <cstdint>
#include <vector>

#include "models/workload/memory_map.h"
#include "models/workload/resolves.h"
#include "models/workload/uploads.h"

namespace models {

class CommandStream {
  public:
    // `ring`: where the machine has it. No bytes: there is no stream.
    void load(const Frame& frame, const Resolves& resolves, Address ring, std::uint32_t bytes_per_draw);

    std::uint32_t lines() const { return lines_of(draws_.size()); }
    // That the first so many executed draws of the frame begin or end in.
    std::uint32_t lines_of(std::size_t draws) const {
        return static_cast<std::uint32_t>((draws * bytes_ + block_bytes - 1) / block_bytes);
    }
    // That they fill.
    std::uint32_t whole_lines_of(std::size_t draws) const {
        return static_cast<std::uint32_t>(draws * bytes_ / block_bytes);
    }
    BlockNumber block(std::uint32_t line) const { return first_ + line % ring_blocks; }
    // The draw whose commands a line begins with, in Frame::draws.
    std::uint32_t draw_of(std::uint32_t line) const { return draws_[std::size_t{line} * block_bytes / bytes_]; }
    // What the driver writes.
    std::vector<BlockRun> runs() const;

  private:
    static constexpr auto ring_blocks = static_cast<BlockNumber>(MemoryMap::command_ring_bytes / block_bytes);

    BlockNumber first_ = 0;
    std::uint32_t bytes_ = 0;
    std::vector<std::uint32_t> draws_;  // that are executed, in their order
};

}  // namespace models
