#include "io/recording/is_recording.h"

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <zstd.h>

#include "io/recording/file.h"

namespace io {

bool is_recording(const std::filesystem::path& path) {
    constexpr std::string_view magic = "VTR0";
    std::vector<char> start(2 * ZSTD_DStreamInSize());  // more than the first block of a zstd frame
    const std::size_t size = read_bytes(open_for_reading(path), std::as_writable_bytes(std::span(start)), path);
    std::array<char, magic.size()> unfolded{};
    ZSTD_inBuffer input{start.data(), size, 0};
    ZSTD_outBuffer output{unfolded.data(), unfolded.size(), 0};
    const std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> decoder(ZSTD_createDStream(), &ZSTD_freeDStream);
    while (input.pos < input.size && output.pos < output.size)
        if (ZSTD_isError(ZSTD_decompressStream(decoder.get(), &output, &input)) != 0) break;
    return std::string_view(start.data(), size).starts_with(magic) ||
           std::string_view(unfolded.data(), output.pos) == magic;
}

}  // namespace io
