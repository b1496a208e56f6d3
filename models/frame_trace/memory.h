// Addresses in the simulated GPU's memory, as all of the frame trace counts them.
#pragma once

#include <cstdint>

#include "models/shader/program.h"

namespace models {

using Address = std::uint64_t;
using BlockNumber = std::uint32_t;  // address / block_bytes
inline constexpr std::uint32_t block_bytes = 64;
inline constexpr std::uint32_t none = 0xffffffff;

// Constants that come in a command, not in a buffer, are written to a ring by the driver. It lies above all buffers and
// textures; a machine puts it where it has room. Each frame begins at its start, with the constants that are bound
// then.
inline constexpr Address constant_ring = Address{1} << 37;
inline constexpr std::uint64_t constant_ring_bytes = std::uint64_t{1} << 24;

// The driver writes to memory, for uploads of textures and buffers and for constants in the ring. What a recording does
// only to bring the state that a frame begins with is no upload of the frame. A copy from buffer to buffer counts as an
// upload of what it writes; what it reads is not told. So does glClearTexImage.
struct Upload {
    std::uint32_t before_draw = 0;    // when so many draws of the frame are done
    std::uint32_t before_kernel = 0;  // and so many kernels
    Address address = 0;
    std::uint64_t bytes = 0;  // of a texture: whole tiles of 4x4 texels

    friend bool operator==(const Upload&, const Upload&) = default;
};

// What a constant buffer of a draw or kernel may be read from: as much of it as the program declares.
struct ConstantRange {
    ShaderStage stage = ShaderStage::vertex;
    std::uint8_t slot = 0;  // Operand::buffer
    Address address = 0;
    std::uint32_t bytes = 0;

    friend bool operator==(const ConstantRange&, const ConstantRange&) = default;
};

}  // namespace models
