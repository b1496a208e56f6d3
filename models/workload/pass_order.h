// Which passes of a frame must have arrived in memory before another one may begin: those that it reads from, those
// that write where it writes, and those that read what it writes. All others may overlap. Also what each pass writes,
// for caches that hold some of it.
#pragma once

#include <cstdint>
#include <vector>

#include "models/base/for_each.h"
#include "models/workload/decoded_program.h"

namespace models {

class PassOrder {
  public:
    void load(const Frame& frame, const std::vector<DecodedProgram>& programs, const ForEach& for_each = in_turn);

    // A pass stores what a later one would have stored, which is not rendered, in place of its own colours.
    void store_for(std::uint32_t pass, std::uint32_t later);

    // So many passes, the first ones of the frame, must be stored before the pass is rasterised.
    std::uint32_t stored_before(std::uint32_t pass) const { return stored_before_[pass]; }
    // So many before its vertices are shaded.
    std::uint32_t stored_before_vertices(std::uint32_t pass) const { return stored_before_vertices_[pass]; }

    // A later pass waits for this one, or for those before it and this one.
    bool is_awaited(std::uint32_t pass) const { return awaited_[pass] != 0; }

    // The pass reads something of the surface; `only`: and of no other that passes write, but for its own targets.
    bool reads(std::uint32_t pass, const Surface& surface) const;
    bool reads_only(std::uint32_t pass, const Surface& surface) const;

    // True if a pass stores to the block: it belongs to one of its render targets.
    bool written_by(std::uint32_t pass, BlockNumber block) const;

  private:
    struct Range {
        BlockNumber first, count;
        bool holds(BlockNumber block) const { return block - first < count; }
        bool meets(const Range& other) const {
            return first < std::uint64_t{other.first} + other.count && other.first < std::uint64_t{first} + count;
        }
    };
    using Ranges = std::vector<Range>;
    static Range range_of(const Surface& surface);
    static bool meet(const Ranges& a, const Ranges& b);
    void note_targets(const Pass& pass);
    void find_waits();
    void note_reads(const Frame& frame, const std::vector<DecodedProgram>& programs, const ForEach& for_each);
    void read_by_quads(const Frame& frame, const std::vector<DecodedProgram>& programs, const Tile& tile,
                       Ranges& reads) const;
    static void add(const Range& range, Ranges& ranges);
    void read(const std::vector<BlockNumber>& blocks, const TextureAccess* accesses, std::uint32_t count,
              Ranges& reads) const;

    std::vector<Ranges> written_, read_, read_by_vertices_;  // by pass; of the first its depths last
    std::vector<std::uint8_t> stores_depths_;                // by pass
    Ranges targets_;                                         // that any pass writes
    std::vector<std::uint32_t> stored_before_, stored_before_vertices_;
    std::vector<std::uint8_t> awaited_;
};

}  // namespace models
