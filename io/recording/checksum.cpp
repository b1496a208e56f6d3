#include "io/recording/checksum.h"

#include <cstring>

#include <xxhash.h>

namespace io {
namespace {

Checksum in_bytes(const XXH128_hash_t& hash) {
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, hash);
    Checksum bytes{};
    static_assert(sizeof canonical.digest == sizeof bytes);
    std::memcpy(bytes.data(), canonical.digest, bytes.size());
    return bytes;
}

}  // namespace

Checksum checksum_of(std::span<const std::byte> bytes) {
    return in_bytes(XXH3_128bits(bytes.data(), bytes.size()));
}

void ChecksumBuilder::FreeState::operator()(XXH3_state_s* state) const {
    XXH3_freeState(state);
}

ChecksumBuilder::ChecksumBuilder() : state_(XXH3_createState()) {
    XXH3_128bits_reset(state_.get());
}

ChecksumBuilder::~ChecksumBuilder() = default;

void ChecksumBuilder::add(std::span<const std::byte> bytes) {
    XXH3_128bits_update(state_.get(), bytes.data(), bytes.size());
}

Checksum ChecksumBuilder::finish() {
    const Checksum checksum = in_bytes(XXH3_128bits_digest(state_.get()));
    XXH3_128bits_reset(state_.get());
    return checksum;
}

}  // namespace io
