// Hashes of what decides the colours of a tile, for Tile::input_hash: what a draw brings for all of its tiles, and each
// primitive. Nothing that differs between two frames with the same picture goes in: no addresses, handles or numbers.
#pragma once

#include <cstdint>

#include "models/functional/fragment_work.h"
#include "models/functional/texture/content_hash.h"
#include "models/functional/transfer.h"

namespace models::functional {

// Program, constants, textures with their contents, and the state of tests and blending.
std::uint64_t hash_of_draw(const FragmentWork& work, const DrawingState& state);

// Where it reads and writes, and the contents of its source.
std::uint64_t hash_of_transfer(const FragmentWork& work, const TransferCommand& command);

// Where it lies, all values at its vertices, and what else decides the values between them: where in a pixel they are
// computed, the offset of depth, the direction of point coordinates, which way it faces, the width of a smooth line.
void add_primitive(const SetupPrimitive& primitive, const VertexView& vertices, ContentHash& hash);

}  // namespace models::functional
