// What passes between the shader executor and the memory that programs load from and store to: storage buffers, images
// and the memory that the threads of a block share.
#pragma once

#include <cstdint>

#include "models/functional/shader_batch.h"

namespace models::functional {

enum class StorageSpace : std::uint8_t { buffer, image, shared };

enum class StorageOperation : std::uint8_t {
    load,
    store,
    size,  // of a buffer in bytes; of an image in texels and layers
    // Atomic: the result is the old dword.
    add,
    exchange,
    compare_exchange,
    bit_and,
    bit_or,
    bit_xor,
    unsigned_min,
    unsigned_max,
    signed_min,
    signed_max,
};

inline bool is_atomic(StorageOperation operation) {
    return operation >= StorageOperation::add;
}

// One executed instruction for the lanes of a batch; integers are bits.
struct StorageRequest {
    StorageSpace space = StorageSpace::buffer;
    StorageOperation operation = StorageOperation::load;
    std::uint32_t slot = 0;         // of buffers and images; shared memory has none
    std::int32_t instruction = 0;   // program counter
    std::uint8_t components = 0xf;  // of buffers and shared memory: bit c is the dword at address + 4c
    LaneMask active = 0;
    bool continues = false;  // the same instruction as the request before, for lanes with another slot
    // Buffers and shared memory: bytes in address[0]. Images: texels and layer as the image's target lays them out.
    const float* address[3] = {};
    const float* value[4] = {};          // stored, or the atomic's operand in value[0]
    const float* replacement = nullptr;  // compare_exchange: stored where the old dword is value[0]
};

// Lanes take effect in order, lane 0 first. Out of bounds a load, a size and an atomic give 0 and nothing changes.
class StorageAccess {
  public:
    virtual ~StorageAccess() = default;
    // Rows of active lanes in `result` are set, but for stores.
    virtual void access(const StorageRequest& request, Vec4Lanes& result) = 0;
};

}  // namespace models::functional
