// The decoders of texels: two bytes choose the format, the rest are its blocks. What a decoder gives must be as many
// texels as the block has; floats of plain formats that come back from packing must unpack to themselves.
#include <array>
#include <cstring>
#include <vector>

#include "models/functional/texture/format.h"
#include "tests/fuzz/accept.h"

namespace {

using namespace models::functional;

constexpr std::size_t most_texels = 12 * 12;

void decode_blocks(const FormatInfo& info, std::span<const std::byte> bytes) {
    std::array<float[4], most_texels> texels;
    for (; bytes.size() >= info.block_bytes; bytes = bytes.subspan(info.block_bytes)) {
        const std::vector<std::byte> block(bytes.begin(), bytes.begin() + info.block_bytes);
        decode_block(info, block.data(), texels.data());
    }
}

void unpack_texels(const FormatInfo& info, std::span<const std::byte> bytes) {
    const std::size_t count = bytes.size() / info.block_bytes;
    const std::vector<std::byte> texels(bytes.begin(),
                                        bytes.begin() + static_cast<std::ptrdiff_t>(count * info.block_bytes));
    std::vector<std::byte> packed(texels);
    if (info.integer || info.stencil) {
        std::vector<std::array<std::uint32_t, 4>> values(count);
        const auto to = reinterpret_cast<std::uint32_t(*)[4]>(values.data());
        unpack_integers(info, texels.data(), static_cast<int>(count), to);
        if (info.integer) pack_integers(info, to, static_cast<int>(count), packed.data());
    }
    if (!info.integer && (info.depth || !info.stencil)) {
        std::vector<std::array<float, 4>> values(count);
        const auto to = reinterpret_cast<float(*)[4]>(values.data());
        unpack_floats(info, texels.data(), static_cast<int>(count), to);
        pack_floats(info, to, static_cast<int>(count), packed.data());
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    tests::Numbers numbers(std::as_bytes(std::span(data, size)));
    const auto number = numbers.take<std::uint16_t>();
    tests::accepts([&] {
        const FormatInfo& info = format_info(number % 512, "texture");
        if (info.compressed())
            decode_blocks(info, numbers.rest());
        else
            unpack_texels(info, numbers.rest());
    });
    return 0;
}
