#include "models/functional/texture/content_hash.h"

#include <xxhash.h>

namespace models::functional {

static_assert(std::endian::native == std::endian::little, "hashes are taken of little-endian integers");

void ContentHash::add_bytes(std::span<const std::byte> bytes) {
    value_ = XXH3_64bits_withSeed(bytes.data(), bytes.size(), value_);
}

}  // namespace models::functional
