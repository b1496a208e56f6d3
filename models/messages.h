// Everything one block says to another, on one page. Plain values of at most 40 bytes; what a message names (a quad, a
// tile, a pass) is an index into the frame, which every process can read.
// Messages have no padding: `spare` fills what would be.
//
// Credits: whoever sends into a finite queue holds one credit per free entry and gets it back by the answer named in
// the second column.
//
//   geometry -> raster             PassReady         PassFreed (two parameter buffers)
//   raster -> fragment processor   ShadeQuad         QuadsTaken
//   raster -> blending             TileStart, -End   TileFree, PassStored
//   fragment processor -> blending ShadedQuad        QuadBlended
//   any processor -> L2 slice      MemoryRequest     MemoryReply
//   L2 slice -> DRAM channel       DramRequest       DramReply
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>

#include "models/frame_trace/frame_trace.h"

namespace models {

// On whose behalf memory is accessed; the processor is known by the port. Fields that do not apply are `none` or 0.
struct Attribution {
    std::uint32_t draw = none;
    std::uint32_t tile = none;  // in Frame::tiles
    std::uint16_t program_counter = 0;
    std::uint16_t warp = 0;
};

enum class MemoryOperation : std::uint16_t {
    read,
    write_line,  // all 64 bytes: nothing has to be fetched
    write_part,
};

// Whose request it was, returned with the answer: one of the clients that share the memory port of a processor, and
// what that client wants to know again.
struct RequestTag {
    static constexpr int most_clients = 256;
    std::uint8_t entry = 0;
    std::uint8_t client = 0;

    static RequestTag of(int client, std::size_t entry = 0) {
        assert(client >= 0 && client < most_clients && entry < 256);
        return {static_cast<std::uint8_t>(entry), static_cast<std::uint8_t>(client)};
    }
};

struct MemoryRequest {
    BlockNumber block = 0;
    RequestTag tag;
    MemoryOperation operation = MemoryOperation::read;
    Attribution attribution;
};

// Data, or the acknowledgement of a write.
struct MemoryReply {
    BlockNumber block = 0;
    RequestTag tag;
    MemoryOperation operation = MemoryOperation::read;
};

struct DramRequest {
    BlockNumber block = 0;
    std::uint16_t tag = 0;  // the slice's own, returned with the answer
    bool write = false;
    std::uint8_t spare = 0;
};

struct DramReply {
    std::uint16_t tag = 0;
    bool write = false;
    std::uint8_t spare = 0;
};

// The lists of a pass are complete in memory.
struct PassReady {
    std::uint32_t pass = 0;
};

// The parameter buffer of a pass may be written again.
struct PassFreed {
    std::uint32_t pass = 0;
};

struct ShadeQuad {
    std::uint32_t quad = 0;     // in Frame::quads
    std::uint32_t tile = 0;     // in Frame::tiles
    std::uint16_t ordinal = 0;  // how many quads were shaded at this place of the tile before
    std::uint8_t buffer = 0;    // tile buffer
    std::uint8_t spare = 0;
};

struct QuadsTaken {
    std::uint32_t count = 0;
};

struct ShadedQuad {
    std::uint32_t quad = 0;
    std::uint16_t ordinal = 0;
    std::uint8_t buffer = 0;
    std::uint8_t spare = 0;
};

struct QuadBlended {};

struct TileStart {
    std::uint32_t pass = 0;
    std::uint32_t tile = 0;  // in the pass: y * tiles_x + x
    std::uint8_t buffer = 0;
    std::uint8_t spare[3] = {};
};

struct TileEnd {
    std::uint32_t quads = 0;  // shaded in this tile
    std::uint8_t buffer = 0;
    bool last_of_pass = false;
    std::uint8_t spare[2] = {};
};

struct TileFree {
    std::uint8_t buffer = 0;
};

// All tiles of a pass have arrived in memory.
struct PassStored {};

}  // namespace models
