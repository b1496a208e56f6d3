// What is said on the way to memory and back. Plain values of at most 40 bytes without padding (`spare` fills it).
//
//   any processor -> L2 slice        MemoryRequest     answered by MemoryReply, which returns the credit; both by way
//                                                      of a network, which finds the slice and the processor
//   any processor -> MMU             MemoryRequest     the same, for no data
//   cluster -> cluster               MemoryRequest     of a line that one of the other's caches is likely to hold, by
//                                                      the same networks; the other answers like a slice, or sends the
//                                                      request on to the slice as if it came from who asked
//   L2 slice -> memory channel       DramRequest       answered by DramReply; one says that its credit is back
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "models/frame_trace/frame_trace.h"
#include "models/structures/divisor.h"
#include "models/structures/sectors.h"

namespace models {

// Whose data it is.
enum class MemoryClient : std::uint8_t {
    vertex,
    index,
    constant,
    tile_lists,
    texture,
    instruction,
    colour,
    depth,
    upload,
    page_table,
    command
};
inline constexpr std::size_t memory_clients = 11;
inline constexpr std::array<std::string_view, memory_clients> memory_client_names{
    "vertex", "index", "constant", "tile_lists", "texture", "instruction",
    "colour", "depth", "upload",   "page_table", "command"};

// Lines of half a block can still be numbered.
inline constexpr BlockNumber most_memory_blocks = 1U << 31U;

// On whose behalf memory is accessed; the processor is known by the network's port. Fields that do not apply are `none`
// or 0.
struct Attribution {
    std::uint32_t draw = none;          // in Frame::draws
    std::uint32_t tile = none;          // in Frame::tiles
    std::uint16_t program_counter = 0;  // among the instructions of all programs (DecodedProgram::place)
    // Lowest bits of 16 times the warps that its core had begun before it, and the core in its cluster: another number
    // than that of the warp that had its slot before.
    std::uint16_t warp = 0;
};

enum class MemoryOperation : std::uint8_t {
    read,
    write_line,     // all bytes of its sectors: nothing has to be fetched
    write_part,     // some of them
    write_through,  // all of them, for DRAM: not kept in the cache
};

// Whose request it was, returned with the answer: one of the parts that share the memory port of a process, and what
// that part wants to know again.
struct RequestTag {
    static constexpr int most_parts = 256;
    std::uint8_t entry = 0;
    std::uint8_t part = 0;

    static RequestTag of(int part, std::size_t entry = 0) {
        assert(part >= 0 && part < most_parts && entry < 256);
        return {static_cast<std::uint8_t>(entry), static_cast<std::uint8_t>(part)};
    }
};

// One for no sectors asks the memory management unit for the place of the block's page; the reply says that it is
// known.
struct MemoryRequest {
    BlockNumber block = 0;
    RequestTag tag;
    MemoryOperation operation = MemoryOperation::read;
    MemoryClient client = MemoryClient::texture;
    Attribution attribution;
    std::uint16_t requester = 0;         // number of the processor, which the network fills in
    SectorMask sectors = block_sectors;  // of the block; a line of 128 bytes begins with an even block
    std::uint8_t asks_directory = 0;     // of its slice, which core's cache has the line (home/directory.h)
    std::uint16_t peer = no_peer;        // number of the cache that is asked instead of the slice (snoop_port.h)
    std::uint8_t is_passed_on = 0;       // by a peer, which had to ask the slice: `requester` stays
    std::array<std::uint8_t, 5> spare = {};

    static constexpr std::uint16_t no_peer = 0xffff;
    bool asks_for_page() const { return sectors == 0; }
    bool asks_peer() const { return peer != no_peer; }
};

// Data, or the acknowledgement of a write. In eight bytes, which travel as a small envelope.
struct MemoryReply {
    static constexpr int most_requesters = 1 << 10;
    BlockNumber block : 31 = 0;      // below most_memory_blocks
    BlockNumber has_waited : 1 = 0;  // for a line that the L2 cache fetched
    RequestTag tag;
    std::uint16_t requester : 10 = 0;  // to whom it goes
    MemoryOperation operation : 2 = MemoryOperation::read;
    SectorMask sectors : 4 = block_sectors;

    bool is_of_page() const { return sectors == 0 && operation == MemoryOperation::read; }
    // Of a read, without data: another core sends them, as a directory has it.
    bool is_elsewhere() const { return sectors == 0 && operation != MemoryOperation::read; }
    static MemoryReply elsewhere(const MemoryRequest& request) {
        MemoryReply reply = to(request);
        reply.operation = MemoryOperation::write_part;  // which has sectors, if it is one
        reply.sectors = 0;
        return reply;
    }
    static MemoryReply to(const MemoryRequest& request) { return to(request, request.block); }
    // Of the same block by another number.
    static MemoryReply to(const MemoryRequest& request, BlockNumber block) {
        assert(request.requester < most_requesters && block < most_memory_blocks);
        MemoryReply reply;
        reply.block = block & (most_memory_blocks - 1);
        reply.tag = request.tag;
        reply.requester = request.requester & (most_requesters - 1);
        reply.operation = request.operation;
        reply.sectors = request.sectors & 15U;
        return reply;
    }
};
static_assert(sizeof(MemoryReply) == 8);

// Which slice of the L2 cache has a block; lines of so many blocks are in one slice, and the slices take turns.
class SliceMap {
  public:
    SliceMap(std::uint32_t line_blocks, int slices) : line_(line_blocks), slices_(static_cast<std::uint32_t>(slices)) {}
    std::uint32_t slices() const { return slices_.value(); }
    std::uint32_t slice(BlockNumber block) const { return slices_.remainder(line_.quotient(block)); }

  private:
    Divisor line_, slices_;
};

struct DramRequest {
    BlockNumber block = 0;
    std::uint16_t tag = 0;  // the slice's own, returned with the answer
    bool write = false;
    MemoryClient client = MemoryClient::texture;
    SectorMask sectors = block_sectors;
    std::uint8_t spare[3] = {};
};

enum class DramOutcome : std::uint8_t {
    data,
    written,   // or sure to be, before anything that comes later
    accepted,  // a read has left the slice's queue: its entry is free, the data will follow
};

struct DramReply {
    std::uint16_t tag = 0;
    DramOutcome outcome = DramOutcome::data;
    std::uint8_t credits = 0;  // entries of the slice's queue that are free again: 0 or 1
};

}  // namespace models
