#include "io/digest.h"

#include <bit>
#include <new>

#include <xxhash.h>

namespace io {

static_assert(std::endian::native == std::endian::little, "digests are taken of little-endian integers");

struct Digest::State {
    XXH3_state_t* xxh3 = XXH3_createState();
    State() {
        if (xxh3 == nullptr) throw std::bad_alloc();
        XXH3_128bits_reset(xxh3);
    }
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() { XXH3_freeState(xxh3); }
};

Digest::Digest() : state_(std::make_unique<State>()) {}
Digest::~Digest() = default;

void Digest::add(std::string_view text) {
    add(static_cast<std::uint64_t>(text.size()));
    add_bytes(text.data(), text.size());
}

void Digest::add_bytes(const void* data, std::size_t size) {
    if (size != 0) XXH3_128bits_update(state_->xxh3, data, size);
}

std::string Digest::hex() const {
    const XXH128_hash_t hash = XXH3_128bits_digest(state_->xxh3);
    std::string text;
    for (const std::uint64_t half : {hash.high64, hash.low64})
        for (int shift = 60; shift >= 0; shift -= 4) text += "0123456789abcdef"[(half >> shift) & 15];
    return text;
}

}  // namespace io
