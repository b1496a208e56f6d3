// What the blocks of a launch do, for the frame trace: group by group of 32 threads its path, memory, texture and
// constant accesses (models/frame_trace/kernels.h). One BlockTrace is filled by one worker; the frame takes them in the
// order of the blocks.
#pragma once

#include <cstdint>
#include <vector>

#include "models/functional/memory_meter.h"
#include "models/functional/program_library.h"
#include "models/functional/storage_unit.h"
#include "models/functional/texture/footprint.h"

namespace models::functional {

// What a batch of lanes did up to a barrier or its end, in the order of execution.
struct BatchLog {
    std::vector<StorageFootprint> storage;
    Footprint textures;
    std::vector<tgsi::ConstantIndices> constants;

    void clear() {  // keeps the memory
        storage.clear();
        textures.clear();
        constants.clear();
    }
};

class BlockTrace {
  public:
    void begin(std::uint32_t threads);
    void add(std::size_t batch, const BatchLog& log, MemoryMeter& memory);
    // The batch has come to its end.
    void finish(std::size_t batch, const tgsi::Executor& executor);
    void append_to(Frame& frame, std::uint32_t program, ProgramLibrary& library, MemoryMeter& memory) const;
    std::uint64_t bytes() const;  // of memory that the meter counted

  private:
    // Positions count from the group's own start.
    struct Group {
        LaneMask lanes = 0;  // in its batch
        Path path;
        std::vector<MemoryAccess> memory;
        std::vector<Address> addresses;
        std::vector<TextureAccess> textures;
        std::vector<BlockNumber> blocks;
        std::vector<ConstantAccess> constants;
        std::vector<std::uint16_t> indices;
    };
    static void add_storage(const StorageFootprint& footprint, Group& group, MemoryMeter& memory);

    std::vector<Group> groups_;  // those of the block first; others keep their memory
    std::size_t count_ = 0;
};

}  // namespace models::functional
