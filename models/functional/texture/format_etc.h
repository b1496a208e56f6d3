// ETC1, ETC2 and EAC blocks of 4x4 texels, as appendix C of the OpenGL ES 3.0 specification defines them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace models::functional {

using ByteTexel = std::array<std::uint8_t, 4>;  // r, g, b, a

enum class EtcAlpha : std::uint8_t { opaque, punch_through };

// The 8 bytes of a colour block, row by row. Opaque blocks have alpha 255. ETC1 is a part of ETC2.
void decode_etc2_colours(const std::byte* block, EtcAlpha alpha, std::array<ByteTexel, 16>& texels);

// The 8 bytes of an alpha block of ETC2_RGBA8: 0 to 255.
std::array<std::uint8_t, 16> decode_eac_alpha(const std::byte* block);

// The 8 bytes of one channel of the R11 and RG11 formats: 0..1, or -1..1 when signed.
std::array<float, 16> decode_eac_11(const std::byte* block, bool is_signed);

}  // namespace models::functional
