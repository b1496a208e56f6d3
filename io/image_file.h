// PNG: 8 bits each of red, green and blue, top row first.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace io {

struct Image {
    std::uint32_t width = 0, height = 0;
    std::vector<std::uint8_t> rgb;  // width * height * 3
};

// The bytes of a PNG file; the same bytes for the same image.
std::string encode_png(const Image& image);

// Throws engine::InputError ("WHERE: not a PNG image: ...") for anything but a whole PNG of at most 2^28 pixels.
Image decode_png(const std::string& bytes, const std::string& where);

}  // namespace io
