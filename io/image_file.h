// PNG: 8 bits each of red, green and blue, top row first. Alpha is left out: in a window it means nothing.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "io/recording/file.h"
#include "models/functional/image.h"

namespace io {

// The bytes of a PNG file; the same bytes for the same image.
std::string encode_png(const models::functional::Image& image);

// Throws engine::InputError ("WHERE: not a PNG image: ...") for anything but a whole PNG of at most 2^28 pixels.
models::functional::Image decode_png(const std::string& bytes, const std::string& where);

// "images/frame_0007.png"
std::filesystem::path image_path(const std::filesystem::path& folder, std::uint32_t frame);

// Writes the PNG file with a note in it that Tessera has written it, by which is_image_file() knows it again.
void write_image_file(const std::filesystem::path& path, const std::string& png, Existing existing);
bool is_image_file(const std::filesystem::path& path);

}  // namespace io
